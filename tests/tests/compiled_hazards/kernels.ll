; A kernel of each kind of unit, for every target of LLVM.
target triple = "amdgcn-amd-amdhsa"

@shared = internal addrspace(3) global [256 x i32] poison, align 16

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare i32 @llvm.amdgcn.readlane.i32(i32, i32)
declare void @llvm.amdgcn.s.barrier()
declare float @llvm.sqrt.f32(float)
declare i32 @llvm.ctpop.i32(i32)

define amdgpu_kernel void @scalar(ptr addrspace(1) %out, ptr addrspace(4) %in, i32 %a) {
  %many = load <8 x i32>, ptr addrspace(4) %in, align 32
  %b = extractelement <8 x i32> %many, i32 3
  %c = extractelement <8 x i32> %many, i32 6
  %product = mul i32 %a, %b
  %count = call i32 @llvm.ctpop.i32(i32 %product)
  %compared = icmp ugt i32 %count, %c
  %chosen = select i1 %compared, i32 %product, i32 %c
  store i32 %chosen, ptr addrspace(1) %out
  ret void
}

define amdgpu_kernel void @vector(ptr addrspace(1) %out, float %a) {
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %x = uitofp i32 %item to float
  %root = call float @llvm.sqrt.f32(float %x)
  %y = fdiv float %root, %a
  %compared = fcmp olt float %y, %x
  %chosen = select i1 %compared, float %y, float %a
  %place = getelementptr float, ptr addrspace(1) %out, i32 %item
  store float %chosen, ptr addrspace(1) %place
  ret void
}

define amdgpu_kernel void @division(ptr addrspace(1) %out, double %a) {
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %x = uitofp i32 %item to double
  %y = fdiv double %x, %a
  %place = getelementptr double, ptr addrspace(1) %out, i32 %item
  store double %y, ptr addrspace(1) %place
  ret void
}

define amdgpu_kernel void @lanes(ptr addrspace(1) %out, i32 %a) {
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %product = mul i32 %item, %a
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %product)
  %lane = and i32 %first, 31
  %other = call i32 @llvm.amdgcn.readlane.i32(i32 %product, i32 %lane)
  %sum = add i32 %other, %item
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %item
  store i32 %sum, ptr addrspace(1) %place
  ret void
}

define amdgpu_kernel void @lds(ptr addrspace(1) %out) {
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %mine = getelementptr [256 x i32], ptr addrspace(3) @shared, i32 0, i32 %item
  store i32 %item, ptr addrspace(3) %mine
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %other = xor i32 %item, 1
  %theirs = getelementptr [256 x i32], ptr addrspace(3) @shared, i32 0, i32 %other
  %value = load i32, ptr addrspace(3) %theirs
  %old = atomicrmw add ptr addrspace(3) %mine, i32 %value syncscope("workgroup") monotonic
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %item
  store i32 %old, ptr addrspace(1) %place
  ret void
}

define amdgpu_kernel void @memory(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %item
  %to = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %item
  %value = load volatile <4 x i32>, ptr addrspace(1) %from
  store volatile <4 x i32> %value, ptr addrspace(1) %to
  %changed = add <4 x i32> %value, <i32 1, i32 2, i32 3, i32 4>
  store volatile <4 x i32> %changed, ptr addrspace(1) %to
  %old = atomicrmw umax ptr addrspace(1) %out, i32 %item syncscope("agent") monotonic
  store volatile i32 %old, ptr addrspace(1) %in
  ret void
}

define amdgpu_kernel void @branches(ptr addrspace(1) %out, i32 %a) {
entry:
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %join ]
  %sum = phi i32 [ 0, %entry ], [ %joined, %join ]
  %is_odd = trunc i32 %n to i1
  br i1 %is_odd, label %odd, label %join
odd:
  %product = mul i32 %sum, %item
  %more = add i32 %product, %a
  br label %join
join:
  %joined = phi i32 [ %sum, %loop ], [ %more, %odd ]
  %next = add i32 %n, 1
  %is_done = icmp ugt i32 %next, %item
  br i1 %is_done, label %end, label %loop
end:
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %item
  store i32 %joined, ptr addrspace(1) %place
  ret void
}
