// The classes of LLVM 22's llvm/Target/TargetSchedule.td that a model uses, with the fields that it sets: for machines without LLVM's headers.

class SchedMachineModel {
  int IssueWidth = -1;
}
class SchedReadWrite;
class SchedWrite : SchedReadWrite;
class SchedRead : SchedReadWrite;
class ProcResourceKind;
class ProcResource<int units> : ProcResourceKind {
  int NumUnits = units;
}
class ProcWriteResources<list<ProcResourceKind> resources> {
  list<ProcResourceKind> ProcResources = resources;
  list<int> ReleaseAtCycles = [];
  int Latency = 1;
  int NumMicroOps = 1;
  bit Unsupported = false;
  bit RetireOOO = false;
  SchedMachineModel SchedModel = ?;
}
class WriteRes<SchedWrite write, list<ProcResourceKind> resources> : ProcWriteResources<resources> {
  SchedWrite WriteType = write;
}
class ReadAdvance<SchedRead read, int cycles> {
  SchedRead ReadType = read;
  int Cycles = cycles;
  SchedMachineModel SchedModel = ?;
}
class InstRW<list<SchedReadWrite> writes, dag instructions> {
  list<SchedReadWrite> OperandReadWrites = writes;
  dag Instrs = instructions;
  SchedMachineModel SchedModel = ?;
}
def instrs;
def COPY;
