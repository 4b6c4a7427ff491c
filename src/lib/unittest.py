"""unittest: cases, suites, and a runner that reports to sys.stderr. A report has the error of a test, not its traceback."""
import re
import sys
import time
from collections import Counter


class SkipTest(Exception):
    pass


def marked(function, name, value):
    setattr(function, name, value)
    return function


def skip(reason):
    return lambda test: marked(test, '__unittest_skip_why__', reason)


def skipIf(condition, reason):
    return skip(reason) if condition else lambda test: test


def skipUnless(condition, reason):
    return skipIf(not condition, reason)


def expectedFailure(test_item):
    return marked(test_item, '__unittest_expecting_failure__', True)


# ---- assertions ----

class Raises:
    """What assertRaises() gives: a context, whose exception is kept."""

    def __init__(self, case, expected, pattern, msg):
        self.case, self.expected, self.pattern, self.msg, self.name = case, expected, pattern, msg, ''

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        if kind is None:
            name = getattr(self.expected, '__name__', str(self.expected))
            self.case.fails(self.msg, f'{name} not raised' + (f' by {self.name}' if self.name else ''))
        if not issubclass(kind, self.expected):
            return False
        self.exception = value
        if self.pattern is not None and not re.search(self.pattern, str(value)):
            pattern = self.pattern if isinstance(self.pattern, str) else self.pattern.pattern
            self.case.fails(self.msg, f'"{pattern}" does not match "{value}"')
        return True

    def around(self, function, args, kwargs):
        self.name = getattr(function, '__name__', str(function))
        with self:
            function(*args, **kwargs)


class SubTest:
    def __init__(self, case, msg, parameters):
        words = [] if msg is None else [f'[{msg}]']
        if parameters:
            words.append('(' + ', '.join([f'{name}={value!r}' for name, value in parameters.items()]) + ')')
        self.case, self.words = case, ' '.join(words) or '(<subtest>)'

    def __enter__(self):
        return None

    def __exit__(self, kind, value, traceback):
        if kind is None or not issubclass(kind, Exception):
            return False
        if issubclass(kind, SkipTest):
            self.case.result.addSkip(self, str(value))
        else:
            self.case.went_wrong = True
            self.case.result.add_error(self, value)
        return True

    def id(self):
        return f'{self.case.id()} {self.words}'

    def __str__(self):
        return f'{self.case} {self.words}'

    def shortDescription(self):
        return self.case.shortDescription()


class TestCase:
    failureException = AssertionError

    def __init_subclass__(cls):
        kept('unittest')[cls.__name__] = cls

    def __init__(self, methodName='runTest'):
        if methodName != 'runTest' and not hasattr(self, methodName):
            raise ValueError(f'no such test method in {type(self)}: {methodName}')
        self._testMethodName, self.cleanups, self.result, self.went_wrong = methodName, [], None, False

    def setUp(self):
        pass

    def tearDown(self):
        pass

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    def id(self):
        return f'__main__.{type(self).__qualname__}.{self._testMethodName}'

    def shortDescription(self):
        doc = getattr(getattr(self, self._testMethodName), '__doc__', None)
        return doc.strip().split('\n')[0].strip() if doc else None

    def __str__(self):
        return f'{self._testMethodName} ({self.id()})'

    def __repr__(self):
        return f'<__main__.{type(self).__qualname__} testMethod={self._testMethodName}>'

    def countTestCases(self):
        return 1

    def attempt(self, function, *args, **kwargs):
        """Whether it went well; what went wrong is reported."""
        try:
            function(*args, **kwargs)
        except SkipTest as skipped:
            self.result.addSkip(self, str(skipped))
            self.went_wrong = True
            return False
        except Exception as error:
            if self.expects_failure:
                self.expected = error
            else:
                self.went_wrong = True
                self.result.add_error(self, error)
            return False
        return True

    def run(self, result=None):
        self.result = result = TestResult() if result is None else result
        method = getattr(self, self._testMethodName)
        why = getattr(type(self), '__unittest_skip_why__', getattr(method, '__unittest_skip_why__', None))
        result.startTest(self)
        if why is not None:
            result.addSkip(self, why)
            return result
        self.went_wrong, self.expected = False, None
        self.expects_failure, expects = False, getattr(method, '__unittest_expecting_failure__', False)
        if self.attempt(self.setUp):
            self.expects_failure = expects
            self.attempt(method)
            self.expects_failure = False
            self.attempt(self.tearDown)
        self.doCleanups()
        if self.went_wrong:
            return result
        if self.expected is not None:
            result.addExpectedFailure(self, (type(self.expected), self.expected, None))
        else:
            (result.addUnexpectedSuccess if expects else result.addSuccess)(self)
        return result

    __call__ = run

    def debug(self):
        self.setUp()
        getattr(self, self._testMethodName)()
        self.tearDown()

    def addCleanup(self, function, *args, **kwargs):
        self.cleanups.append((function, args, kwargs))

    def doCleanups(self):
        while self.cleanups:
            function, args, kwargs = self.cleanups.pop()
            self.attempt(function, *args, **kwargs)

    def subTest(self, msg=None, **params):
        return SubTest(self, msg, params)

    def skipTest(self, reason):
        raise SkipTest(reason)

    def fail(self, msg=None):
        raise self.failureException(msg)

    def fails(self, msg, text):
        raise self.failureException(text if msg is None else f'{text} : {msg}')

    def check(self, is_right, msg, text):
        if not is_right:
            self.fails(msg, text)

    def assertTrue(self, expr, msg=None):
        self.check(expr, msg, f'{expr!r} is not true')

    def assertFalse(self, expr, msg=None):
        self.check(not expr, msg, f'{expr!r} is not false')

    def assertEqual(self, first, second, msg=None):
        if first == second:
            return
        text = f'{first!r} != {second!r}'
        if type(first) is type(second) and isinstance(first, (list, tuple)):
            text = self.unlike(first, second)
        elif type(first) is type(second) and isinstance(first, (set, frozenset)):
            parts = [('first', 'second', first - second), ('second', 'first', second - first)]
            text = '\n'.join([f'Items in the {one} set but not the {other}:\n' + '\n'.join([repr(item) for item in items])
                              for one, other, items in parts if items])
        self.fails(msg, text)

    def unlike(self, first, second):
        name = 'Lists' if isinstance(first, list) else 'Tuples'
        text = f'{name} differ: {first!r} != {second!r}\n'
        for place, (one, other) in enumerate(zip(first, second)):
            if one != other:
                text += f'\nFirst differing element {place}:\n{one!r}\n{other!r}\n'
                break
        if len(first) != len(second):
            which, longer = ('First', first) if len(first) > len(second) else ('Second', second)
            place = min(len(first), len(second))
            text += (f'\n{which} {name.lower()[:-1]} contains {abs(len(first) - len(second))} additional elements.\n'
                     f'First extra element {place}:\n{longer[place]!r}\n')
        return text

    assertListEqual = assertTupleEqual = assertSetEqual = assertDictEqual = assertMultiLineEqual = assertEqual
    assertSequenceEqual = assertEqual

    def assertNotEqual(self, first, second, msg=None):
        self.check(first != second, msg, f'{first!r} == {second!r}')

    def assertIs(self, expr1, expr2, msg=None):
        self.check(expr1 is expr2, msg, f'{expr1!r} is not {expr2!r}')

    def assertIsNot(self, expr1, expr2, msg=None):
        self.check(expr1 is not expr2, msg, f'unexpectedly identical: {expr1!r}')

    def assertIsNone(self, obj, msg=None):
        self.check(obj is None, msg, f'{obj!r} is not None')

    def assertIsNotNone(self, obj, msg=None):
        self.check(obj is not None, msg, 'unexpectedly None')

    def assertIn(self, member, container, msg=None):
        self.check(member in container, msg, f'{member!r} not found in {container!r}')

    def assertNotIn(self, member, container, msg=None):
        self.check(member not in container, msg, f'{member!r} unexpectedly found in {container!r}')

    def assertIsInstance(self, obj, cls, msg=None):
        self.check(isinstance(obj, cls), msg, f'{obj!r} is not an instance of {cls!r}')

    def assertNotIsInstance(self, obj, cls, msg=None):
        self.check(not isinstance(obj, cls), msg, f'{obj!r} is an instance of {cls!r}')

    def assertGreater(self, a, b, msg=None):
        self.check(a > b, msg, f'{a!r} not greater than {b!r}')

    def assertGreaterEqual(self, a, b, msg=None):
        self.check(a >= b, msg, f'{a!r} not greater than or equal to {b!r}')

    def assertLess(self, a, b, msg=None):
        self.check(a < b, msg, f'{a!r} not less than {b!r}')

    def assertLessEqual(self, a, b, msg=None):
        self.check(a <= b, msg, f'{a!r} not less than or equal to {b!r}')

    def is_near(self, first, second, places, delta):
        """Whether it is, and the words for the bound."""
        if delta is not None and places is not None:
            raise TypeError('specify delta or places not both')
        away, places = abs(first - second), 7 if places is None else places
        if delta is not None:
            return first == second or away <= delta, f'within {delta!r} delta ({away!r} difference)'
        return first == second or round(away, places) == 0, f'within {places!r} places ({away!r} difference)'

    def assertAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if first == second and (delta is None or places is None):
            return
        near, words = self.is_near(first, second, places, delta)
        self.check(near, msg, f'{first!r} != {second!r} {words}')

    def assertNotAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        near, words = self.is_near(first, second, places, delta)
        words = words if delta is not None else f'within {7 if places is None else places!r} places'
        self.check(not near, msg, f'{first!r} == {second!r} {words}')

    def assertCountEqual(self, first, second, msg=None):
        one, other = Counter(first), Counter(second)
        lines = [f'First has {one[item]}, Second has {other[item]}:  {item!r}' for item in {**one, **other}
                 if one[item] != other[item]]
        self.check(not lines, msg, '\n'.join(['Element counts were not equal:', *lines]))

    def assertRegex(self, text, expected_regex, msg=None):
        self.check(re.search(expected_regex, text), msg, f"Regex didn't match: {expected_regex!r} not found in {text!r}")

    def assertNotRegex(self, text, unexpected_regex, msg=None):
        found = re.search(unexpected_regex, text)
        self.check(not found, msg, found and f'Regex matched: {found.group()!r} matches {unexpected_regex!r} in {text!r}')

    def assertRaises(self, expected_exception, *args, msg=None, **kwargs):
        return self.assertRaisesRegex(expected_exception, None, *args, msg=msg, **kwargs)

    def assertRaisesRegex(self, expected_exception, expected_regex, *args, msg=None, **kwargs):
        context = Raises(self, expected_exception, expected_regex, msg)
        return context.around(args[0], args[1:], kwargs) if args else context

    def assertWarns(self, *args, **kwargs):
        refuse("unsupported.name", 'name', 'unittest.TestCase.assertWarns')

    assertWarnsRegex = assertLogs = assertNoLogs = assertWarns


# ---- results ----

def error_text(error):
    name = type(error).__qualname__
    name = name if type(error).__module__ == 'builtins' else f'{type(error).__module__}.{name}'
    return 'Traceback (most recent call last):\n' + (f'{name}: {error}' if str(error) else name) + '\n'


class TestResult:
    def __init__(self, stream=None, descriptions=None, verbosity=0):
        self.errors, self.failures, self.skipped, self.expectedFailures, self.unexpectedSuccesses = [], [], [], [], []
        self.testsRun, self.shouldStop, self.stream, self.verbosity = 0, False, stream, verbosity
        self.is_begun = False

    def show(self, test, letter, word):
        is_part = isinstance(test, SubTest)
        if self.verbosity == 1:
            self.stream.write(letter)
        elif self.verbosity > 1:
            if is_part or not self.is_begun:
                self.stream.write(('\n' if self.is_begun else '') + ('  ' if is_part else '') + self.described(test) + ' ... ')
            self.stream.write(word + '\n')
            self.is_begun = False

    def described(self, test):
        line = test.shortDescription()
        return f'{test}\n{line}' if line else str(test)

    def startTest(self, test):
        self.testsRun += 1
        if self.verbosity > 1:
            self.stream.write(self.described(test) + ' ... ')
            self.is_begun = True

    def stopTest(self, test):
        pass

    def add_error(self, test, error):
        is_failure = isinstance(error, AssertionError)
        (self.addFailure if is_failure else self.addError)(test, (type(error), error, None))

    def addError(self, test, err):
        self.errors.append((test, error_text(err[1])))
        self.show(test, 'E', 'ERROR')

    def addFailure(self, test, err):
        self.failures.append((test, error_text(err[1])))
        self.show(test, 'F', 'FAIL')

    def addSuccess(self, test):
        self.show(test, '.', 'ok')

    def addSkip(self, test, reason):
        self.skipped.append((test, reason))
        self.show(test, 's', f'skipped {reason!r}')

    def addExpectedFailure(self, test, err):
        self.expectedFailures.append((test, error_text(err[1])))
        self.show(test, 'x', 'expected failure')

    def addUnexpectedSuccess(self, test):
        self.unexpectedSuccesses.append(test)
        self.show(test, 'u', 'unexpected success')

    def wasSuccessful(self):
        return not self.errors and not self.failures and not self.unexpectedSuccesses

    def stop(self):
        self.shouldStop = True

    def __repr__(self):
        return (f'<unittest.{"runner.Text" if self.stream else "result."}TestResult run={self.testsRun} '
                f'errors={len(self.errors)} failures={len(self.failures)}>')

    def printErrors(self):
        if self.verbosity > 0:
            self.stream.write('\n')
        for word, rows in (('ERROR', self.errors), ('FAIL', self.failures)):
            for test, text in rows:
                self.stream.write(f"{'=' * 70}\n{word}: {self.described(test)}\n{'-' * 70}\n{text}\n")
        lines = [f'UNEXPECTED SUCCESS: {self.described(test)}\n' for test in self.unexpectedSuccesses]
        self.stream.write(''.join(['=' * 70 + '\n', *lines]) if lines else '')


TextTestResult = TestResult


# ---- suites, loaders, runners ----

class ClassFixture:
    """What stands for a test where setUpClass() or tearDownClass() failed."""

    def __init__(self, name):
        self.name = name

    def __str__(self):
        return self.name

    def shortDescription(self):
        return None


class TestSuite:
    def __init__(self, tests=()):
        self.tests = list(tests)

    def addTest(self, test):
        self.tests.append(test)

    def addTests(self, tests):
        self.tests.extend(tests)

    def __iter__(self):
        return iter(self.tests)

    def countTestCases(self):
        return sum([test.countTestCases() for test in self.tests])

    def cases(self):
        return [case for test in self.tests for case in (test.cases() if isinstance(test, TestSuite) else [test])]

    def around(self, result, kind, name):
        try:
            getattr(kind, name)()
        except SkipTest as skipped:
            result.addSkip(ClassFixture(f'{name} (__main__.{kind.__qualname__})'), str(skipped))
            return False
        except Exception as error:
            result.addError(ClassFixture(f'{name} (__main__.{kind.__qualname__})'), (type(error), error, None))
            return False
        return True

    def run(self, result, debug=False):
        kind, is_ready = None, True
        for case in self.cases():
            if result.shouldStop:
                break
            if type(case) is not kind:
                if kind is not None and is_ready:
                    self.around(result, kind, 'tearDownClass')
                kind = type(case)
                is_ready = hasattr(kind, '__unittest_skip_why__') or self.around(result, kind, 'setUpClass')
            if is_ready:
                case.run(result)
        if kind is not None and is_ready:
            self.around(result, kind, 'tearDownClass')
        return result

    __call__ = run

    def __repr__(self):
        return f'<unittest.suite.TestSuite tests={self.tests!r}>'


class TestLoader:
    testMethodPrefix = 'test'

    def getTestCaseNames(self, testCaseClass):
        return sorted([name for name in dir(testCaseClass) if name.startswith(self.testMethodPrefix)])

    def loadTestsFromTestCase(self, testCaseClass):
        names = self.getTestCaseNames(testCaseClass) or [name for name in ['runTest'] if hasattr(testCaseClass, name)]
        return TestSuite([testCaseClass(name) for name in names])

    def loadTestsFromModule(self, module=None):
        """There is one module with tests: the program."""
        return TestSuite([self.loadTestsFromTestCase(kept('unittest')[name]) for name in sorted(kept('unittest'))])

    def loadTestsFromName(self, name, module=None):
        kind, _, method = name.replace('__main__.', '').partition('.')
        if kind not in kept('unittest'):
            raise AttributeError(f"module '__main__' has no attribute '{kind}'")
        cls = kept('unittest')[kind]
        return TestSuite([cls(method)]) if method else self.loadTestsFromTestCase(cls)

    def loadTestsFromNames(self, names, module=None):
        return TestSuite([self.loadTestsFromName(name) for name in names])


defaultTestLoader = TestLoader()


def makeSuite(testCaseClass, prefix='test'):
    return defaultTestLoader.loadTestsFromTestCase(testCaseClass)


class TextTestRunner:
    def __init__(self, stream=None, descriptions=True, verbosity=1, failfast=False, **settings):
        self.stream, self.descriptions, self.verbosity = stream or sys.stderr, descriptions, verbosity

    def run(self, test):
        result, start = TestResult(self.stream, self.descriptions, self.verbosity), time.perf_counter()
        test(result)
        taken = time.perf_counter() - start
        result.printErrors()
        self.stream.write(f"{'-' * 70}\nRan {result.testsRun} test{'' if result.testsRun == 1 else 's'} in {taken:.3f}s\n\n")
        counts = [] if result.wasSuccessful() else [('failures', result.failures), ('errors', result.errors)]
        counts += [('skipped', result.skipped), ('expected failures', result.expectedFailures),
                   ('unexpected successes', result.unexpectedSuccesses)]
        words = ', '.join([f'{name}={len(items)}' for name, items in counts if items])
        self.stream.write(('OK' if result.wasSuccessful() else 'FAILED') + (f' ({words})' if words else '') + '\n')
        return result


class TestProgram:
    def __init__(self, module='__main__', defaultTest=None, argv=None, testRunner=None, testLoader=defaultTestLoader,
                 exit=True, verbosity=1, **settings):
        words = (sys.argv if argv is None else argv)[1:]
        names = [word for word in words if not word.startswith('-')] or ([defaultTest] if defaultTest else [])
        verbosity = 2 if '-v' in words or '--verbose' in words else 0 if '-q' in words else verbosity
        self.test = testLoader.loadTestsFromNames(names) if names else testLoader.loadTestsFromModule()
        runner = TextTestRunner(verbosity=verbosity) if testRunner is None else testRunner
        self.result = (runner(verbosity=verbosity) if isinstance(runner, type) else runner).run(self.test)
        if exit:
            raise SystemExit(not self.result.wasSuccessful())


main = TestProgram
