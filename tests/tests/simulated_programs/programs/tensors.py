"""What tinygrad computes on the simulated card, against this processor: prints one line a case, and ends with 1 if any differs.

With an argument also what takes longer: more operations, and a small network on made-up digits."""
import math
import random
import sys

from tinygrad import Tensor, dtypes
from tinygrad.helpers import Context
from tinygrad.nn.optim import SGD

random.seed(1)
wrong = 0


def numbers(*shape):
    if not shape:
        return random.uniform(-2, 2)
    return [numbers(*shape[1:]) for _ in range(shape[0])]


def flat(value):
    return [number for part in value for number in flat(part)] if isinstance(value, list) else [value]


def case(name, got, expected, tolerance):
    global wrong
    got, expected = flat(got), flat(expected)
    error = max((abs(a - b) / max(1, abs(b)) for a, b in zip(got, expected)), default=0)
    is_right = len(got) == len(expected) and error <= tolerance
    wrong += not is_right
    print(f"{name}: {'right' if is_right else f'WRONG by {error}'}", flush=True)


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def softmax(row):
    powers = [math.exp(value - max(row)) for value in row]
    return [power / sum(powers) for power in powers]


a, b = numbers(16, 24), numbers(24, 16)
case("sum", (Tensor(a) + 1).tolist(), [[value + 1 for value in row] for row in a], 1e-6)
case("matmul", (Tensor(a) @ Tensor(b)).tolist(), product(a, b), 1e-5)
case("softmax", Tensor(a).softmax().tolist(), [softmax(row) for row in a], 1e-6)
case("reciprocal, root, sine", [Tensor(flat(a)).abs().sqrt().reciprocal().tolist(), Tensor(flat(a)).sin().tolist()],
     [[1 / math.sqrt(abs(value)) for value in flat(a)], [math.sin(value) for value in flat(a)]], 1e-5)
case("sort", Tensor(flat(a)).sort()[0].tolist(), sorted(Tensor(flat(a)).tolist()), 0)
case("copy of 6 MiB", Tensor.arange(3 << 19).contiguous().tolist(), list(range(3 << 19)), 0)

if len(sys.argv) > 1:
    def both(name, compute, tolerance, *tensors):
        on = lambda device: compute(*[Tensor(tensor, device=device) for tensor in tensors]).tolist()
        case(name, on("AMD"), on("CPU"), tolerance)

    x = numbers(2, 3, 8, 8)
    both("convolution", lambda image, weight: image.conv2d(weight, padding=1), 1e-5, x, numbers(4, 3, 3, 3))
    both("pooling", lambda image: image.max_pool2d(), 0, x)
    both("mean and deviation", lambda image: image.mean((2, 3)).cat(image.std((2, 3))), 1e-5, x)
    both("logarithm, exponential, tanh", lambda image: (image.abs() + 1).log() + image.exp() + image.tanh(), 1e-5, x)
    both("greatest and its place", lambda image: image.reshape(6, 64).argmax(1).cat(image.reshape(6, 64).argmin(1)), 0, x)
    both("prefix sums", lambda image: image.reshape(6, 64).cumsum(1), 1e-5, x)
    both("integers", lambda i: (i * 7 // 3 % 5) ^ (i << 2), 0, [[i * j for i in range(16)] for j in range(16)])
    both("half precision", lambda m: (m.cast(dtypes.half) @ m.cast(dtypes.half).T).cast(dtypes.float), 2e-2, a)
    both("double precision", lambda m: (m.cast(dtypes.double) @ m.cast(dtypes.double).T).cast(dtypes.float), 1e-6, a)
    both("gather", lambda m: m[Tensor([3, 1, 15, 0], device=m.device)], 0, a)

    digits, labels = numbers(32, 1, 12, 12), [random.randrange(10) for _ in range(32)]
    weights = [numbers(4, 1, 3, 3), numbers(100, 10)]

    def losses(device):
        image, label = Tensor(digits, device=device), Tensor(labels, device=device)
        kernel, layer = [Tensor(weight, device=device) for weight in weights]
        optimizer = SGD([kernel, layer], lr=0.01)
        found = []
        with Context(TRAINING=1):
            for _ in range(3):
                optimizer.zero_grad()
                hidden = image.conv2d(kernel).relu().max_pool2d().flatten(1)
                loss = hidden.dot(layer).sparse_categorical_crossentropy(label)
                found.append(loss.backward().item())
                optimizer.step()
        return found

    case("losses of a network", losses("AMD"), losses("CPU"), 1e-4)

sys.exit(wrong > 0)
