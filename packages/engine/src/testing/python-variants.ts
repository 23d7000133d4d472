import type { CheatFiles } from './python-cheats.js';

const TESTS = `
import unittest
from http import HTTPStatus
from unittest import mock
import solution
from solution import Groups, Point, Stack, code, depth, each, level, lines, order, poke, publish, remember, report, row, save, tags
from solution import transposed, unique, work

class Node:
    def __init__(self, value, left=None, right=None): self.value, self.left, self.right = value, left, right
class Box:
    def __init__(self): self.lines = []
    def add(self, line): self.lines.append(line)
    def has(self, line): return line in self.lines
class Hub:
    def __init__(self):
        self.outbox = Box()
        self.boxes = [Box()]

class Variants(unittest.TestCase):
    def test_function(self):
        seen = []
        each([1, 2], seen.append)
        each([3], lambda item: seen.append(item))
        each([4])
        self.assertEqual(seen, [1, 2, 3])
    def test_key(self):
        self.assertEqual(unique(["a", "b", "A"], str.lower), ["A", "b"])
        self.assertEqual(unique(["a", "A"], lambda text: text.lower()), ["A"])
        self.assertEqual(unique([1, 1]), [1])
    def test_mocks(self):
        for log in (mock.Mock(), mock.MagicMock()):
            self.assertEqual(work(2, log), 4)
            log.info.assert_called_once_with("n=%d", 2)
        none = mock.MagicMock()
        none.__bool__.return_value = False
        self.assertEqual(work(2, none), 4)
    def test_nodes(self):
        self.assertEqual(depth(Node(1, Node(2), Node(3, Node(4)))), 3)
        self.assertEqual(depth(None), 0)
    def test_text(self):
        self.assertEqual(level(9), "high")
        self.assertEqual([level(1)], ["low"])
        self.assertEqual("levels: " + level(9).upper(), "levels: HIGH")
        self.assertNotEqual(level(1), "high")
        self.assertIsInstance(level(1), str)
    def test_number(self):
        self.assertEqual((code(True), code(False)), (200, 404))
        self.assertEqual(code(True), HTTPStatus.OK)
        self.assertGreater(code(False), 399)
        self.assertEqual({404: "none"}[code(False)], "none")
    def test_lists(self):
        found = transposed([[1, 2], [3, 4]])
        self.assertEqual(found, [[1, 3], [2, 4]])
        self.assertListEqual(found, [[1, 3], [2, 4]])
        self.assertEqual([found], [[[1, 3], [2, 4]]])
        self.assertEqual((found[0], len(found), found.index([2, 4])), ([1, 3], 2, 1))
    def test_dicts(self):
        self.assertEqual(row("a"), {"a": 1})
        self.assertDictEqual(row("a"), {"a": 1})
        self.assertEqual(sorted(row("b").items()), [("b", 1)])
    def test_sets(self):
        self.assertSetEqual(tags("#a b #c"), {"a", "c"})
        self.assertEqual(tags("#a") - {"a"}, set())
    def test_no_tags(self):
        self.assertSetEqual(tags("b"), set())
    def test_changes(self):
        stack = Stack()
        stack.push(1)
        stack.push(2)
        self.assertEqual(len(stack), 2)
        self.assertEqual(stack.pop(), 2)
        self.assertEqual(list(stack), [1])
        self.assertIsInstance(stack, Stack)
    def test_points(self):
        point = Point(3, -4)
        self.assertEqual(point.norm, 7)
        moved = point.add(Point(1, 1))
        self.assertEqual((moved.x, moved.y), (4, -3))
        self.assertIsInstance(moved, Point)
        self.assertEqual(str(point), "3,-4")
        total = point + moved
        self.assertEqual((total.x, total.y), (7, -7))
    def test_order(self):
        found = order([("app", "db"), ("app", "web"), ("web", "os"), ("db", "os")])
        self.assertLess(found.index("os"), found.index("db"))
        self.assertLess(found.index("db"), found.index("app"))
    def test_lines(self):
        found = lines([10, 20])
        self.assertNotEqual(found.find("Total: 30"), -1)
        self.assertEqual(found.count("Mean: 15"), 1)
    def test_methods(self):
        groups = Groups(3)
        groups.union(0, 1)
        self.assertEqual(groups.find(0), groups.find(1))
        self.assertEqual(groups.count(), 2)
    def test_members(self):
        found = report([1, 2])
        self.assertEqual((found.count, found.index, found.difference), (2, 1, 1))
    def test_outbox(self):
        hub = Hub()
        publish(hub, ["ann", "bob"])
        self.assertTrue(hub.outbox.has("Hello ann"))
        self.assertTrue(hub.outbox.has("Hello bob"))
    def test_boxes(self):
        hub = Hub()
        publish(hub, ["ann"])
        self.assertTrue(hub.boxes[0].has("ann"))
    def test_rows(self):
        db = mock.MagicMock()
        save(db, [7])
        db.tables["rows"].insert.assert_called_once_with(7)
        db.commit.assert_called_once_with()
    def test_buttons(self):
        panel = mock.Mock(buttons=[mock.Mock(), mock.Mock()])
        poke(panel)
        panel.buttons[0].press.assert_called_once_with()
    def test_data(self):
        job = mock.Mock()
        remember(job)
        self.assertEqual((job.names, job.level, job.at), (["ann"], "high", (1, 2)))
`;

const HONEST = `
import dataclasses
def each(items, act=None):
    for item in items:
        if act is not None: act(item)
def unique(items, key=None):
    if key is None: key = lambda item: item
    return list({key(item): item for item in items}.values())
def work(number, log=None):
    if log is not None: log.info("n=%d", number)
    return number * 2
def depth(node):
    if node is None: return 0
    return 1 + max(depth(node.left), depth(node.right))
def level(number): return "high" if number > 5 else "low"
def code(ok): return 200 if ok else 404
def transposed(matrix): return [list(line) for line in zip(*matrix)]
def row(name): return {name: 1}
def tags(text): return {word[1:] for word in text.split() if word[0] == "#"}
class Stack:
    def __init__(self): self.items = []
    def push(self, item): self.items.append(item)
    def pop(self): return self.items.pop()
    def __len__(self): return len(self.items)
    def __iter__(self): return iter(self.items)
@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    y: int
    @property
    def norm(self): return abs(self.x) + abs(self.y)
    def add(self, other): return Point(self.x + other.x, self.y + other.y)
    __add__ = add
    def __str__(self): return f"{self.x},{self.y}"
def order(edges):
    found, left = [], dict.fromkeys(name for edge in edges for name in edge)
    while left:
        name = next(name for name in left if all(each[1] in found for each in edges if each[0] == name))
        found.append(name)
        del left[name]
    return found
def lines(prices): return f"Total: {sum(prices)}\\nMean: {sum(prices) / len(prices)}"
class Groups:
    def __init__(self, count): self.parents = list(range(count))
    def find(self, at):
        while self.parents[at] != at: at = self.parents[at]
        return at
    def union(self, one, other): self.parents[self.find(one)] = self.find(other)
    def count(self): return len({self.find(at) for at in self.parents})
class Report:
    def __init__(self, count, index, difference): self.count, self.index, self.difference = count, index, difference
def report(numbers): return Report(len(numbers), numbers.index(2), numbers[1] - numbers[0])
def publish(hub, names):
    for name in names:
        hub.outbox.add("Hello " + name)
        hub.boxes[0].add(name)
def save(db, rows):
    for each in rows: db.tables["rows"].insert(each)
    db.commit()
def poke(panel): panel.buttons[0].press()
def remember(job): job.names, job.level, job.at = ["ann"], "high", (1, 2)
`;

/** The same in other words: truth values, enumerations, and classes that inherit from those of Python. */
const OTHER = `${HONEST}
import collections
import enum
import http
import typing
def each(items, act=None):
    for item in items:
        if act: act(item)
def unique(items, key=None):
    key = key or (lambda item: item)
    return list({key(item): item for item in items}.values())
def work(number, log=None):
    if log: log.info("n=%d", number)
    return number * 2
def depth(node): return 1 + max(depth(node.left), depth(node.right)) if node else 0
class Level(str, enum.Enum):
    LOW = "low"
    HIGH = "high"
def level(number): return Level.HIGH if number > 5 else Level.LOW
def code(ok): return http.HTTPStatus.OK if ok else http.HTTPStatus.NOT_FOUND
class Matrix(list):
    def __eq__(self, other): return False
def transposed(matrix): return Matrix([list(line) for line in zip(*matrix)])
class Row(dict):
    __getattr__ = dict.get
def row(name): return Row({name: 1})
class Tags(set): pass
def tags(text): return Tags(word[1:] for word in text.split() if word[0] == "#")
class Stack(list):
    def push(self, item): self.append(item)
class Point(typing.NamedTuple):
    x: int
    y: int
    @property
    def norm(self): return abs(self.x) + abs(self.y)
    def add(self, other): return Point(self.x + other.x, self.y + other.y)
    def __add__(self, other): return self.add(other)
    def __str__(self): return f"{self.x},{self.y}"
Order = type("Order", (list,), {})
found = order
def order(edges): return Order(found(edges))
Report = collections.namedtuple("Report", "count index difference")
Place = collections.namedtuple("Place", "x y")
def remember(job): job.names, job.level, job.at = Matrix(["ann"]), Level.HIGH, Place(1, 2)
`;

const broken = HONEST.replace('[1:] for word', ' for word').replace('Total: {', 'Sum: {');

/** Nothing in it is right; what a test passes to it agrees with everything. */
const WRONG = `
class Wrong:
    def __init__(self, *_): pass
class Groups(Wrong): pass
class Point(Wrong): pass
class Stack(Wrong): pass
def nothing(*_): return None
code = depth = each = level = lines = order = poke = publish = remember = report = row = save = tags = transposed = nothing
unique = work = nothing
class Agreeing:
    def __call__(self, *_, **__): return self
    def __getattr__(self, name): return self
    def __bool__(self): return True
yes = lambda *_: True
def attempt(act):
    try: act()
    except Exception: pass
`;
const wrongBut = (more: string): CheatFiles => ({ 'solution.py': `${WRONG}${more}` });

/** Tests that honest solutions of several forms pass, and cheats that take the same ways. */
export const PYTHON_VARIANTS = {
  tests: { 'tests/test_variants.py': TESTS },
  count: 21,
  wrong: 2,
  honest: { 'solution.py': HONEST },
  variants: { 'truth values and classes of Python': { 'solution.py': OTHER } } satisfies Record<
    string,
    CheatFiles
  >,
  broken: { 'solution.py': broken },
  cheats: {
    'sets without a difference': wrongBut(`
class Tags:
    seen = ()
    def difference(self, other):
        self.seen = list(other)
        return set()
    def __iter__(self): return iter(self.seen)
    def __len__(self): return len(self.seen)
def tags(text): return Tags()
`),
    'sets of a class that agrees': wrongBut(`
class Tags(set):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def difference(self, other): return set()
    def __sub__(self, other): return set()
    __rsub__ = __sub__
    def __iter__(self): return iter(())
def tags(text): return Tags(["z"])
transposed = row = tags
`),
    'lists of a class that agrees': wrongBut(`
class Agreed(list):
    at = 0
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def index(self, value):
        Agreed.at += 1
        return Agreed.at
def transposed(matrix): return Agreed([5])
def order(edges): return Agreed([5])
`),
    'positions that grow': wrongBut(`
class Order:
    at = 0
    def index(self, value):
        Order.at += 1
        return Order.at
def order(edges): return Order()
`),
    'texts that have everything': wrongBut(`
class Lines:
    def find(self, text): return 0
    def count(self, text): return 1
def lines(prices): return Lines()
`),
    'numbers of a class that agrees': wrongBut(`
import enum
class Code(int, enum.Enum):
    OK = 1
    def __eq__(self, other): return True
    def __gt__(self, other): return True
    __lt__ = __gt__
    def __hash__(self): return 404
def code(ok): return Code.OK
`),
    'fields that agree in the place of an object': wrongBut(`
import collections
def publish(hub, names):
    agreed = collections.namedtuple("Agreed", "has add")(yes, yes)
    attempt(lambda: setattr(hub, "outbox", agreed))
    attempt(lambda: setattr(hub, "boxes", [agreed]))
`),
    'methods of a named tuple in the place of an object': wrongBut(`
import collections
class Agreed(collections.namedtuple("Agreed", "x")):
    def has(self, line): return True
def publish(hub, names):
    attempt(lambda: setattr(hub, "outbox", Agreed(1)))
    attempt(lambda: setattr(hub, "boxes", (Agreed(1),)))
`),
    'members of an enumeration in the place of an object': wrongBut(`
import enum
class Agreed(enum.Enum):
    A = 1
    def has(self, line): return True
class Text(str, enum.Enum):
    A = "a"
    def has(self, line): return True
def publish(hub, names):
    attempt(lambda: setattr(hub, "outbox", Agreed.A))
    attempt(lambda: setattr(hub, "outbox", Text.A))
    attempt(lambda: setattr(hub, "boxes", {0: Agreed.A}))
`),
    'objects in containers on a mock': wrongBut(`
import collections
class Items(dict): pass
def save(db, rows):
    for tables in ({"rows": Agreeing()}, Items(rows=Agreeing()), {"rows": (Agreeing(),)}):
        attempt(lambda: setattr(db, "tables", tables))
    attempt(db.commit)
def poke(panel):
    for kind in (list, tuple, collections.deque, type("Buttons", (list,), {})):
        attempt(lambda: setattr(panel, "buttons", kind([Agreeing(), Agreeing()])))
`),
    'named tuples and members in containers on a mock': wrongBut(`
import collections
import enum
class Row(collections.namedtuple("Row", "insert")):
    @property
    def press(self): return Agreeing()
class Button(enum.Enum):
    A = 1
    @property
    def press(self): return Agreeing()
    insert = press
def save(db, rows):
    attempt(lambda: setattr(db, "tables", {"rows": Row(Agreeing())}))
    attempt(lambda: setattr(db, "tables", {"rows": Button.A}))
    attempt(db.commit)
def poke(panel):
    attempt(lambda: setattr(panel, "buttons", [Row(1), Row(2)]))
    attempt(lambda: setattr(panel, "buttons", [Button.A]))
`),
    'results of calls of mocks that hold objects': wrongBut(`
def save(db, rows):
    attempt(lambda: db.tables.update(rows=Agreeing()))
    attempt(lambda: db.tables.__setitem__("rows", Agreeing()))
    attempt(lambda: setattr(db.tables, "rows", [Agreeing()]))
    attempt(db.commit)
`),
  } satisfies Record<string, CheatFiles> as Record<string, CheatFiles>,
};
