// What the exported model takes from SISchedule.td of LLVM 22, by the same names. Behind it, the test has the model.

def WriteBranch : SchedWrite;
def WriteExport : SchedWrite;
def WriteLDS : SchedWrite;
def WriteSALU : SchedWrite;
def WriteSMEM : SchedWrite;
def WriteVMEM : SchedWrite;
def WriteBarrier : SchedWrite;
def Write32Bit : SchedWrite;
def WriteFloatCvt : SchedWrite;
def WriteTrans32 : SchedWrite;
def WriteQuarterRate32 : SchedWrite;
def Write64Bit : SchedWrite;
def WriteIntMul : SchedWrite;
def WriteFloatFMA : SchedWrite;
def WriteDouble : SchedWrite;
def WriteDoubleAdd : SchedWrite;
def WriteDoubleCvt : SchedWrite;
def WriteTrans64 : SchedWrite;
def Write4PassDGEMM : SchedWrite;
def Write8PassDGEMM : SchedWrite;
def Write16PassDGEMM : SchedWrite;
def Write2PassMAI : SchedWrite;
def Write4PassMAI : SchedWrite;
def Write8PassMAI : SchedWrite;
def Write16PassMAI : SchedWrite;
def WriteSFPU : SchedWrite;
def WritePseudoScalarTrans : SchedWrite;
def WriteVALUDummy : SchedWrite;
def WriteSALUDummy : SchedWrite;
def WriteCopy : SchedWrite;
def MIVGPRRead : SchedRead;
def MIMFMARead : SchedRead;

def HWBranch : ProcResource<1>;
def HWExport : ProcResource<1>;
def HWLGKM : ProcResource<1>;
def HWSALU : ProcResource<1>;
def HWVMEM : ProcResource<1>;
def HWVALU : ProcResource<1>;
def HWXDL : ProcResource<1>;
def HWTransVALU : ProcResource<1>;
def HWRC : ProcResource<1>;

class SISchedMachineModel : SchedMachineModel {
  let IssueWidth = 1;
}

class HWWriteRes<SchedWrite write, list<ProcResourceKind> resources, int latency> : WriteRes<write, resources> {
  let Latency = latency;
}

class UnsupportedWriteRes<SchedWrite write> : WriteRes<write, []> {
  let Unsupported = true;
}
