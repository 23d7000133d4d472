"""The hidden tests, read into memory and removed before code under test runs.

Tests are imported, and their data files are read, from here: what the code under test writes at their place has no effect."""

import ast
import builtins
import importlib.abc
import importlib.util
import io
import os
import shutil
import stat
import sys

from . import modules

GRADER = "/grader"
OWN = ".agentclash"
BYTES_MAX = 64 * 1024 * 1024


class Snapshot:
    """The files of a folder or one file, by absolute path."""

    def __init__(self, root):
        self.root = os.path.abspath(root)
        self.folder = os.path.dirname(self.root) if os.path.isfile(self.root) else self.root
        self.files = {}
        for path in walk(self.root):
            with open(path, "rb") as file:
                self.files[path] = file.read(BYTES_MAX)

    def remove(self):
        """Empties the folder of the grader, where nothing may stay that the code under test could learn from."""
        for path in self.files:
            remove(path)
        if not os.path.isdir(GRADER):
            return
        for name in os.listdir(GRADER):
            if name != OWN:
                remove(os.path.join(GRADER, name))

    def restore_names(self):
        """Empty files, for test runners that look for files; their content is taken from memory."""
        for path in self.files:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb"):
                pass

    def matching(self, matches):
        return sorted(path for path in self.files if matches(os.path.basename(path)))

    def module_name(self, path):
        """As pytest and unittest name it: from the highest folder of the package."""
        parts, folder = [os.path.basename(path)[: -len(".py")]], os.path.dirname(path)
        while os.path.join(folder, "__init__.py") in self.files:
            parts.insert(0, os.path.basename(folder))
            folder = os.path.dirname(folder)
        return ".".join(part for part in parts if part != "__init__")

    def test_names(self, path):
        """Of the test functions that a file defines, whether or not it can be imported."""
        try:
            tree = ast.parse(self.files[path])
        except (SyntaxError, ValueError):
            return []
        return [
            node.name
            for node in ast.walk(tree)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test")
        ]


def walk(root):
    if os.path.isfile(root):
        return [root]
    paths = []
    for folder, folders, names in os.walk(root):
        if folder == GRADER and OWN in folders:
            folders.remove(OWN)
        for name in names:
            path = os.path.join(folder, name)
            if stat.S_ISREG(os.lstat(path).st_mode):
                paths.append(path)
    return paths


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    else:
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass


class TestFinder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Modules of the tests, from memory."""

    def __init__(self, snapshot):
        self.snapshot = snapshot
        self.paths = {snapshot.module_name(path): path for path in snapshot.files if path.endswith(".py")}

    def find_spec(self, fullname, path=None, target=None):
        file = self.paths.get(fullname)
        if file is None:
            return None
        is_package = os.path.basename(file) == "__init__.py"
        spec = importlib.util.spec_from_loader(fullname, self, origin=file, is_package=is_package)
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(file)]
        return spec

    def is_package(self, fullname):
        return os.path.basename(self.paths[fullname]) == "__init__.py"

    def get_source(self, fullname):
        return importlib.util.decode_source(self.snapshot.files[self.paths[fullname]])

    def get_code(self, fullname):
        return compile(self.get_source(fullname), self.paths[fullname], "exec", dont_inherit=True)

    def exec_module(self, module):
        module.__dict__["__agentclash_test__"] = True
        exec(self.get_code(module.__spec__.name), module.__dict__)


class CodeFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules of the code under test: they are loaded in its own process."""

    def __init__(self, roots, link):
        self.roots, self.link = roots, link

    def find_spec(self, fullname, path=None, target=None):
        root, _, below = fullname.partition(".")
        if root not in self.roots:
            return None
        is_package = self.roots[root] and (not below or not self.is_file(fullname))
        return importlib.util.spec_from_loader(fullname, self, is_package=is_package)

    def is_file(self, fullname):
        root, *names = fullname.split(".")
        return os.path.isfile(os.path.join(self.roots[root], *names) + ".py")

    def create_module(self, spec):
        return modules.RemoteModule(spec.name, self.link)

    def exec_module(self, module):
        try:
            self.link.request({"op": "import", "name": module.__name__})
        except BaseException as error:
            if not modules.is_collecting():
                raise
            module.__dict__["_agentclash_error"] = error


def code_roots(paths):
    """By module name: the folder of a package, None for a file; and the folders to import them from."""
    roots, folders = {}, []
    for path in paths:
        path = os.path.abspath(path)
        name = os.path.basename(path)
        is_file = name.endswith(".py")
        roots[name[: -len(".py")] if is_file else name] = None if is_file else path
        folders.append(os.path.dirname(path))
    return roots, list(dict.fromkeys(folders))


def serve_files(snapshot):
    """Lets tests open their data files."""
    original = io.open

    def opened(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, *rest, **more):
        path = os.path.abspath(os.fspath(file)) if isinstance(file, (str, os.PathLike)) else None
        content = snapshot.files.get(path)
        if content is None or set(mode) & set("wax+"):
            return original(file, mode, buffering, encoding, errors, newline, *rest, **more)
        if "b" in mode:
            return io.BytesIO(content)
        return io.TextIOWrapper(io.BytesIO(content), encoding or "utf-8", errors, newline)

    io.open = builtins.open = opened


class NoModules(importlib.abc.PathEntryFinder):
    def find_spec(self, fullname, target=None):
        return None


def trust_folders():
    """Modules come from where Python itself is installed, from nowhere else: test runners add folders in which the code
    under test may have written files with the names of modules."""
    trusted = tuple(os.path.abspath(entry) for entry in sys.path if entry)

    def refuse(entry):
        path = os.path.abspath(entry)
        if any(path == each or path.startswith(each + os.sep) for each in trusted):
            raise ImportError
        return NoModules()

    sys.path_hooks.insert(0, refuse)
    sys.path_importer_cache.clear()


def install(snapshot, roots, link):
    trust_folders()
    serve_files(snapshot)
    sys.meta_path[:0] = [CodeFinder(roots, link), TestFinder(snapshot)]
    os.environ["PY_IGNORE_IMPORTMISMATCH"] = "1"
