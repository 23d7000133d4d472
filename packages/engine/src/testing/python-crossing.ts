import type { CheatFiles } from './python-cheats.js';

const TESTS = `
import asyncio
import json
import unittest
from dataclasses import FrozenInstanceError
from decimal import InvalidOperation
from unittest import mock
import solution
from solution import Bus, Pool, Scope, Transient, Worker, cached, call, parameters
from solution import compute, decode, fetch, fill, find, fix, ids, labelled
from solution import leave, limit, load, numbers, position, register, retry, run, safe, send, slow, values

def parameters_of_test(number): pass
class Boom(ValueError): pass
class Cache:
    def __init__(self): self.found = {}
    def __getitem__(self, key): return self.found[key]
    def __setitem__(self, key, value): self.found[key] = value
    def __contains__(self, key): return key in self.found
class Version:
    def __init__(self, number): self.number = number
    def __eq__(self, other): return self.number == other.number
    def __lt__(self, other): return self.number < other.number
    def __str__(self): return f"v{self.number}"
class Cart:
    def __init__(self):
        self.items, self.options = [], {"tags": {}}
class Spy:
    def __init__(self): self.calls = mock.Mock()

class Crossing(unittest.TestCase):
    def test_exit(self):
        with self.assertRaises(SystemExit) as caught: leave(2)
        self.assertEqual(caught.exception.code, 2)
    def test_file(self):
        with self.assertRaises(FileNotFoundError) as caught: load("/none")
        self.assertEqual((caught.exception.errno, caught.exception.filename), (2, "/none"))
    def test_library(self):
        with self.assertRaises(json.JSONDecodeError) as caught: decode("[1")
        self.assertEqual(caught.exception.pos, 2)
        with self.assertRaises(FrozenInstanceError): fix()
        with self.assertRaises(InvalidOperation): compute("x")
    def test_result(self):
        counted = numbers()
        self.assertEqual(next(counted), 1)
        with self.assertRaises(StopIteration) as caught: next(counted)
        self.assertEqual(caught.exception.value, 7)
    def test_cause(self):
        with self.assertRaises(RuntimeError) as caught: compute(None)
        self.assertIsInstance(caught.exception.__cause__, TypeError)
    def test_own_error(self):
        act = mock.Mock(side_effect=[Transient("a"), Transient("b"), 7])
        self.assertEqual(retry(act), 7)
    def test_error_of_test(self):
        def fail(): raise Boom("x")
        self.assertEqual(safe(fail), "Boom: x")
        with self.assertRaises(Boom) as caught: retry(fail)
        self.assertEqual(str(caught.exception), "x")
    def test_awaited_mock(self):
        client = mock.AsyncMock()
        client.get.return_value = {"x": 3}
        self.assertEqual(asyncio.run(fetch(client, "u")), 3)
        client.get.assert_awaited_once_with("u")
    def test_awaited_function(self):
        async def twice(number):
            await asyncio.sleep(0)
            return number * 2
        self.assertEqual(asyncio.run(run(twice, 3)), [0, 2, 4])
    def test_asynchronous_block(self):
        async def go():
            async with Pool() as pool: return await pool.get(), pool
        found, pool = asyncio.run(go())
        self.assertEqual((found, pool.state), (5, "closed"))
    def test_task(self):
        async def go():
            worker = Worker()
            await worker.start()
            await worker.put(1)
            await worker.stop()
            return worker.done
        self.assertEqual(asyncio.run(go()), [1])
    def test_coroutine_as_argument(self):
        with self.assertRaises(TimeoutError): asyncio.run(limit(slow(), 0.05))
    def test_block(self):
        scope = Scope(False)
        with self.assertRaises(ValueError):
            with scope: raise ValueError("x")
        self.assertEqual(scope.seen, "ValueError: x")
        with Scope(True) as scope: raise KeyError("y")
        self.assertEqual(scope.seen, "KeyError: 'y'")
    def test_items(self):
        cache = Cache()
        self.assertEqual(cached(cache, "a", str.upper), "A")
        self.assertEqual(cache.found, {"a": "A"})
        headers = mock.MagicMock()
        cached(headers, "a", str.upper)
        headers.__setitem__.assert_called_once_with("a", "A")
    def test_comparison(self):
        self.assertEqual(position([Version(1), Version(2)], Version(2)), 1)
        self.assertEqual(labelled([Version(2), Version(1)]), "v1 v2")
    def test_functions(self):
        @register
        def hello(): return 1
        self.assertEqual(solution.handlers["hello"](), 1)
        bus, seen = Bus(), []
        bus.on(seen.append)
        bus.emit(1)
        bus.off(seen.append)
        bus.emit(2)
        self.assertEqual(seen, [1])
    def test_parameters(self):
        self.assertEqual(parameters(lambda number, other=3: 0), ["number", "other?"])
        spy = mock.create_autospec(parameters_of_test, return_value=4)
        self.assertEqual(call(spy), 4)
        spy.assert_called_once_with(1)
    def test_contents(self):
        cart = Cart()
        fill(cart)
        self.assertEqual(cart.items, [1, 2])
        self.assertEqual(cart.options, {"tags": {"a": [1]}, "size": 2})
    def test_identifiers(self):
        self.assertEqual(len(set(ids(3))), 3)
    def test_objects_in_sets(self):
        with self.assertRaisesRegex(AssertionError, "agentclash-grade"): set(values())
    def test_failures(self):
        with Scope(True) as scope:
            self.assertEqual(scope.number, 42)
    def test_code_errors_in_block(self):
        with Scope(True) as scope:
            self.assertEqual(find(scope), 42)
    def test_errors_of_results_in_block(self):
        with Scope(True) as scope:
            self.assertEqual(find(scope) + 1, 43)
    def test_calls(self):
        spy = Spy()
        send(spy)
        self.assertEqual(spy.calls.mock_calls, [mock.call(1)])
`;

const HONEST = `
import asyncio, dataclasses, decimal, inspect, json, sys, uuid
def leave(code): sys.exit(code)
def load(path): return open(path).read()
def decode(text): return json.loads(text)
@dataclasses.dataclass(frozen=True)
class Fixed: x: int = 1
def fix(): Fixed().x = 2
def compute(text):
    try: return decimal.Decimal(text)
    except TypeError as error: raise RuntimeError("no number") from error
def numbers():
    yield 1
    return 7
class Transient(Exception): pass
def retry(act):
    for _ in range(3):
        try: return act()
        except Transient: pass
def safe(act):
    try: return act()
    except ValueError as error: return f"{type(error).__name__}: {error}"
async def fetch(client, url): return (await client.get(url))["x"]
async def run(act, count): return await asyncio.gather(*(act(number) for number in range(count)))
class Pool:
    async def __aenter__(self):
        self.state = "open"
        return self
    async def __aexit__(self, *_): self.state = "closed"
    async def get(self): return 5
class Worker:
    def __init__(self): self.queue, self.done = asyncio.Queue(), []
    async def start(self): self.task = asyncio.create_task(self.work())
    async def work(self):
        while True:
            self.done.append(await self.queue.get())
            self.queue.task_done()
    async def put(self, item): await self.queue.put(item)
    async def stop(self):
        await self.queue.join()
        self.task.cancel()
async def slow(): await asyncio.sleep(5)
async def limit(coroutine, seconds):
    try: return await asyncio.wait_for(coroutine, seconds)
    except asyncio.TimeoutError: raise TimeoutError from None
class Scope:
    number = 42
    def __init__(self, suppresses): self.suppresses = suppresses
    def __enter__(self): return self
    def __exit__(self, kind, error, trace):
        self.seen = None if kind is None else f"{kind.__name__}: {error}"
        return self.suppresses
def find(scope): return scope.number
def cached(cache, key, act):
    if key not in cache: cache[key] = act(key)
    return cache[key]
def position(items, item): return items.index(item)
def labelled(items): return " ".join(str(each) for each in sorted(items))
handlers = {}
def register(act):
    handlers[act.__name__] = act
    return act
class Bus:
    def __init__(self): self.acts = []
    def on(self, act): self.acts.append(act)
    def off(self, act): self.acts.remove(act)
    def emit(self, value):
        for act in self.acts: act(value)
def fill(cart):
    cart.items.append(2)
    cart.items.insert(0, 1)
    cart.options["size"] = 2
    cart.options["tags"].setdefault("a", []).append(1)
def call(act): return act(1)
def parameters(act):
    found = inspect.signature(act).parameters.values()
    return [each.name + ("" if each.default is each.empty else "?") for each in found]
def ids(count): return [uuid.uuid4() for _ in range(count)]
class Value:
    def __eq__(self, other): return True
    def __hash__(self): return 1
def values(): return [Value(), Value()]
def send(spy): spy.calls(1)
`;

const WRONG = `
class Transient(Exception): pass
class Wrong:
    seen = "wrong"
    state = number = done = None
    def __init__(self, *_): pass
class Pool(Wrong): pass
class Worker(Wrong): pass
class Bus(Wrong): pass
class Scope(Wrong):
    def __enter__(self): return self
    def __exit__(self, *_): return True
def nothing(*_): return None
cached = call = compute = parameters = decode = fetch = fill = find = fix = ids = labelled = leave = limit = load = position = nothing
numbers = register = retry = run = safe = send = slow = values = nothing
handlers = {}
def attempt(act):
    try: act()
    except Exception: pass
`;
const wrongBut = (more: string): CheatFiles => ({ 'solution.py': `${WRONG}${more}` });

/** Tests whose errors, coroutines, blocks and objects cross between the process of the tests and that of the code. */
export const PYTHON_CROSSING = {
  tests: { 'tests/test_crossing.py': TESTS },
  count: 24,
  wrong: 3,
  honest: { 'solution.py': HONEST },
  broken: {
    'solution.py': HONEST.replace('sys.exit(code)', 'sys.exit(1)')
      .replace('return self.suppresses', 'return False')
      .replace('spy.calls(1)', 'None'),
  },
  cheats: {
    'blocks that suppress failures': wrongBut(''),
    'blocks that suppress errors of the code': wrongBut('\ndef find(scope): raise KeyError("y")\n'),
    'blocks that replace failures': wrongBut(`
class Scope(Wrong):
    def __enter__(self): return self
    def __exit__(self, kind, error, trace): raise ValueError("x")
`),
    'tests that the code skips': wrongBut(`
import unittest
def skip(*_): raise unittest.SkipTest("no")
cached = call = compute = parameters = decode = fetch = fill = find = fix = ids = labelled = leave = limit = load = position = skip
numbers = register = retry = run = safe = send = values = skip
`),
    'lists of calls that are changed by their items': wrongBut(`
def send(spy):
    spy.calls(2)
    attempt(lambda: spy.calls.mock_calls.__setitem__(0, ("", (1,), {})))
    attempt(lambda: spy.calls.mock_calls.__delitem__(0))
    attempt(lambda: spy.calls.mock_calls.clear())
`),
  } satisfies Record<string, CheatFiles> as Record<string, CheatFiles>,
};
