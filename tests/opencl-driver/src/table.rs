//! The dispatch table that the ICD loader calls through; its order is that of Khronos's `cl_icd.h`.

use std::sync::LazyLock;

use opencl_sys::cl_icd::cl_icd_dispatch;

use crate::api::{context, device, enqueue, event, kernel, memory, platform, program, queue, transfer};
use crate::refusal::{Name, Refuses};

/// A table whose functions are those that are named; all others refuse.
macro_rules! table {
    (provided { $($provided:ident: $function:path,)* } refused { $($refused:ident)* }) => {
        cl_icd_dispatch {
            $($provided: Some($function),)*
            $($refused: {
                struct Function;
                impl Name for Function {
                    const NAME: &str = stringify!($refused);
                }
                Refuses::refusing::<Function>()
            },)*
            // From OpenCL 3.1 on; the loaders of today know nothing of it.
            clGetKernelSuggestedLocalWorkSize: 0,
        }
    };
}

/// The table, equal for all objects.
pub(crate) fn get() -> &'static cl_icd_dispatch {
    static TABLE: LazyLock<cl_icd_dispatch> = LazyLock::new(|| {
        table! {
            provided {
                clGetPlatformIDs: platform::get_ids,
                clGetPlatformInfo: platform::get_info,
                clGetExtensionFunctionAddress: platform::get_function,
                clGetExtensionFunctionAddressForPlatform: platform::get_function_for,
                clUnloadCompiler: platform::unload_compiler,
                clUnloadPlatformCompiler: platform::unload_compiler_of,
                clGetDeviceIDs: device::get_ids,
                clGetDeviceInfo: device::get_info,
                clRetainDevice: device::retain,
                clReleaseDevice: device::release,
                clCreateContext: context::create,
                clCreateContextFromType: context::create_from_type,
                clRetainContext: context::retain,
                clReleaseContext: context::release,
                clGetContextInfo: context::get_info,
                clCreateCommandQueue: queue::create,
                clRetainCommandQueue: queue::retain,
                clReleaseCommandQueue: queue::release,
                clGetCommandQueueInfo: queue::get_info,
                clFlush: queue::flush,
                clFinish: queue::finish,
                clCreateBuffer: memory::create,
                clCreateSubBuffer: memory::create_part,
                clRetainMemObject: memory::retain,
                clReleaseMemObject: memory::release,
                clGetMemObjectInfo: memory::get_info,
                clCreateProgramWithBinary: program::create,
                clRetainProgram: program::retain,
                clReleaseProgram: program::release,
                clBuildProgram: program::build,
                clGetProgramInfo: program::get_info,
                clGetProgramBuildInfo: program::get_build_info,
                clCreateKernel: kernel::create,
                clCreateKernelsInProgram: kernel::create_all,
                clRetainKernel: kernel::retain,
                clReleaseKernel: kernel::release,
                clSetKernelArg: kernel::set_argument,
                clGetKernelInfo: kernel::get_info,
                clGetKernelArgInfo: kernel::get_argument_info,
                clGetKernelWorkGroupInfo: kernel::get_group_info,
                clWaitForEvents: event::wait,
                clGetEventInfo: event::get_info,
                clRetainEvent: event::retain,
                clReleaseEvent: event::release,
                clGetEventProfilingInfo: event::get_times,
                clEnqueueNDRangeKernel: enqueue::kernel,
                clEnqueueMarkerWithWaitList: enqueue::marker,
                clEnqueueBarrierWithWaitList: enqueue::barrier,
                clEnqueueReadBuffer: transfer::read,
                clEnqueueWriteBuffer: transfer::write,
                clEnqueueFillBuffer: transfer::fill,
                clEnqueueCopyBuffer: transfer::copy,
                clEnqueueMapBuffer: transfer::map,
                clEnqueueUnmapMemObject: transfer::unmap,
            }
            refused {
                clSetCommandQueueProperty clCreateImage2D clCreateImage3D clGetSupportedImageFormats clGetImageInfo
                clCreateSampler clRetainSampler clReleaseSampler clGetSamplerInfo clCreateProgramWithSource
                clEnqueueReadImage clEnqueueWriteImage clEnqueueCopyImage clEnqueueCopyImageToBuffer
                clEnqueueCopyBufferToImage clEnqueueMapImage clEnqueueTask clEnqueueNativeKernel clEnqueueMarker
                clEnqueueWaitForEvents clEnqueueBarrier clCreateFromGLBuffer clCreateFromGLTexture2D
                clCreateFromGLTexture3D clCreateFromGLRenderbuffer clGetGLObjectInfo clGetGLTextureInfo
                clEnqueueAcquireGLObjects clEnqueueReleaseGLObjects clGetGLContextInfoKHR clGetDeviceIDsFromD3D10KHR
                clCreateFromD3D10BufferKHR clCreateFromD3D10Texture2DKHR clCreateFromD3D10Texture3DKHR
                clEnqueueAcquireD3D10ObjectsKHR clEnqueueReleaseD3D10ObjectsKHR clSetEventCallback
                clSetMemObjectDestructorCallback clCreateUserEvent clSetUserEventStatus clEnqueueReadBufferRect
                clEnqueueWriteBufferRect clEnqueueCopyBufferRect clCreateSubDevicesEXT clRetainDeviceEXT
                clReleaseDeviceEXT clCreateEventFromGLsyncKHR clCreateSubDevices clCreateImage
                clCreateProgramWithBuiltInKernels clCompileProgram clLinkProgram clEnqueueFillImage
                clEnqueueMigrateMemObjects clCreateFromGLTexture clGetDeviceIDsFromD3D11KHR clCreateFromD3D11BufferKHR
                clCreateFromD3D11Texture2DKHR clCreateFromD3D11Texture3DKHR clCreateFromDX9MediaSurfaceKHR
                clEnqueueAcquireD3D11ObjectsKHR clEnqueueReleaseD3D11ObjectsKHR clGetDeviceIDsFromDX9MediaAdapterKHR
                clEnqueueAcquireDX9MediaSurfacesKHR clEnqueueReleaseDX9MediaSurfacesKHR clCreateFromEGLImageKHR
                clEnqueueAcquireEGLObjectsKHR clEnqueueReleaseEGLObjectsKHR clCreateEventFromEGLSyncKHR
                clCreateCommandQueueWithProperties clCreatePipe clGetPipeInfo clSVMAlloc clSVMFree clEnqueueSVMFree
                clEnqueueSVMMemcpy clEnqueueSVMMemFill clEnqueueSVMMap clEnqueueSVMUnmap clCreateSamplerWithProperties
                clSetKernelArgSVMPointer clSetKernelExecInfo clGetKernelSubGroupInfoKHR clCloneKernel
                clCreateProgramWithIL clEnqueueSVMMigrateMem clGetDeviceAndHostTimer clGetHostTimer
                clGetKernelSubGroupInfo clSetDefaultDeviceCommandQueue clSetProgramReleaseCallback
                clSetProgramSpecializationConstant clCreateBufferWithProperties clCreateImageWithProperties
                clSetContextDestructorCallback
            }
        }
    });
    &TABLE
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;

    /// Places in the table that the loaders rely on: those of `cl_icd.h` 2023.
    #[test]
    fn functions_have_their_places() {
        let place = |offset: usize| offset / size_of::<usize>();
        assert_eq!(place(offset_of!(cl_icd_dispatch, clCreateContext)), 4);
        assert_eq!(place(offset_of!(cl_icd_dispatch, clCreateProgramWithBinary)), 27);
        assert_eq!(place(offset_of!(cl_icd_dispatch, clEnqueueNDRangeKernel)), 59);
        assert_eq!(place(offset_of!(cl_icd_dispatch, clCreateSubBuffer)), 82);
        assert_eq!(place(offset_of!(cl_icd_dispatch, clEnqueueFillBuffer)), 102);
        assert_eq!(place(offset_of!(cl_icd_dispatch, clCreateCommandQueueWithProperties)), 123);
        assert_eq!(place(offset_of!(cl_icd_dispatch, clSetContextDestructorCallback)), 148);
    }

    #[test]
    fn missing_functions_print_a_line_and_give_a_code() {
        let mut code = 0;
        let create = get().clCreateUserEvent.unwrap();
        #[expect(unsafe_code, reason = "the table's functions are those of a C interface")]
        // SAFETY: the function only writes to the last pointer.
        let event = unsafe { create(std::ptr::null_mut(), &raw mut code) };
        assert!(event.is_null());
        assert_eq!(code, opencl_sys::CL_INVALID_OPERATION);
    }
}
