// What OpenCL's device library would give, of which there is none here.

// All items of the work-group have come here, and see what the others have written to LDS.
static void group_barrier(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
