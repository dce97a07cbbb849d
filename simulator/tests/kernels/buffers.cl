// Loads by a descriptor that the input has: its words 1 to 3, the offset, SOFFSET, and how the loads go. The data follow after 64 dwords.

uint load_one(uint4 descriptor, int index, int offset, int soffset, int aux) __asm("llvm.amdgcn.struct.buffer.load.i32");
uint4 load_four(uint4 descriptor, int index, int offset, int soffset, int aux) __asm("llvm.amdgcn.struct.buffer.load.v4i32");
float4 load_format(uint4 descriptor, int index, int offset, int soffset, int aux) __asm("llvm.amdgcn.struct.buffer.load.format.v4f32");

kernel void described(global const uint *in, global uint4 *out, uint n) {
    uint i = __builtin_amdgcn_workitem_id_x();
    ulong base = (ulong)(in + 64);
    uint high = (uint)(base >> 32) & 0xffff;
    uint4 descriptor = (uint4)((uint)base, high | in[0], in[1], in[2]);
    descriptor.x = __builtin_amdgcn_readfirstlane(descriptor.x);
    descriptor.y = __builtin_amdgcn_readfirstlane(descriptor.y);
    descriptor.z = __builtin_amdgcn_readfirstlane(descriptor.z);
    descriptor.w = __builtin_amdgcn_readfirstlane(descriptor.w);
    int offset = in[3];
    if (in[5] == 1) {
        out[i] = (uint4)(load_one(descriptor, i, offset, __builtin_amdgcn_readfirstlane(in[4]), 0), 0, 0, 0);
    } else if (in[5] == 4) {
        out[i] = load_four(descriptor, i, offset, __builtin_amdgcn_readfirstlane(in[4]), 0);
    } else {
        out[i] = as_uint4(load_format(descriptor, i, offset, __builtin_amdgcn_readfirstlane(in[4]), 0));
    }
}
