# unittest: cases, what they assert, and the report of a runner, without the lines of tracebacks that name places.
import io
import re
import unittest

import torch


def report(suite, verbosity=1):
    stream = io.StringIO()
    result = unittest.TextTestRunner(stream, verbosity=verbosity).run(suite)
    print(re.sub(r'in [\d.]+s', 'in 0s', re.sub(r'(?m)^  .*\n', '', stream.getvalue())).replace(' \n', '\n').rstrip())
    return result


def said(function, *args, **kwargs):
    try:
        function(*args, **kwargs)
        print('fine')
    except AssertionError as error:
        print(error)

# case: a report
class TestShapes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shape = (2, 3)

    def setUp(self):
        self.x = torch.ones(self.shape)

    def test_sum(self):
        """The sum of ones.

        Is their number."""
        self.assertEqual(self.x.sum().item(), 6)

    def test_fails(self):
        self.assertEqual(self.x.shape[0], 3, 'rows')

    def test_breaks(self):
        self.x @ None.T

    def test_skipped(self):
        self.skipTest('later')

    @unittest.skip('never')
    def test_unwanted(self):
        self.fail()

    @unittest.expectedFailure
    def test_known(self):
        self.assertTrue(False)

    def test_each(self):
        for size in (2, 3, 4):
            with self.subTest('sizes', size=size):
                self.assertLess(size, 3)
load = unittest.defaultTestLoader.loadTestsFromTestCase
result = report(load(TestShapes))
print(result.testsRun, len(result.failures), len(result.errors), len(result.skipped), result.wasSuccessful())
print(result.failures[0][0], result.failures[0][1].split('\n')[-2])
report(load(TestShapes), verbosity=2)
# expect: EFFFxs.s
# expect: ======================================================================
# expect: ERROR: test_breaks (__main__.TestShapes.test_breaks)
# expect: ----------------------------------------------------------------------
# expect: Traceback (most recent call last):
# expect: AttributeError: 'NoneType' object has no attribute 'T'
# expect:
# expect: ======================================================================
# expect: FAIL: test_each (__main__.TestShapes.test_each) [sizes] (size=3)
# expect: ----------------------------------------------------------------------
# expect: Traceback (most recent call last):
# expect: AssertionError: 3 not less than 3
# expect:
# expect: ======================================================================
# expect: FAIL: test_each (__main__.TestShapes.test_each) [sizes] (size=4)
# expect: ----------------------------------------------------------------------
# expect: Traceback (most recent call last):
# expect: AssertionError: 4 not less than 3
# expect:
# expect: ======================================================================
# expect: FAIL: test_fails (__main__.TestShapes.test_fails)
# expect: ----------------------------------------------------------------------
# expect: Traceback (most recent call last):
# expect: AssertionError: 2 != 3 : rows
# expect:
# expect: ----------------------------------------------------------------------
# expect: Ran 7 tests in 0s
# expect:
# expect: FAILED (failures=3, errors=1, skipped=2, expected failures=1)
# expect: 7 3 1 2 False
# expect: test_each (__main__.TestShapes.test_each) [sizes] (size=3) AssertionError: 3 not less than 3
# expect: test_breaks (__main__.TestShapes.test_breaks) ... ERROR
# expect: test_each (__main__.TestShapes.test_each) ...
# expect: test_fails (__main__.TestShapes.test_fails) ... FAIL
# expect: test_known (__main__.TestShapes.test_known) ... expected failure
# expect: test_skipped (__main__.TestShapes.test_skipped) ... skipped 'later'
# expect: test_sum (__main__.TestShapes.test_sum)
# expect: The sum of ones. ... ok
# expect: test_unwanted (__main__.TestShapes.test_unwanted) ... skipped 'never'
# expect:
# expect: ======================================================================
# expect: ERROR: test_breaks (__main__.TestShapes.test_breaks)
# expect: ----------------------------------------------------------------------
# expect: Traceback (most recent call last):
# expect: AttributeError: 'NoneType' object has no attribute 'T'
# expect:
# expect: ======================================================================
# expect: FAIL: test_each (__main__.TestShapes.test_each) [sizes] (size=3)
# expect: ----------------------------------------------------------------------
# expect: Traceback (most recent call last):
# expect: AssertionError: 3 not less than 3
# expect:
# expect: ======================================================================
# expect: FAIL: test_each (__main__.TestShapes.test_each) [sizes] (size=4)
# expect: ----------------------------------------------------------------------
# expect: Traceback (most recent call last):
# expect: AssertionError: 4 not less than 3
# expect:
# expect: ======================================================================
# expect: FAIL: test_fails (__main__.TestShapes.test_fails)
# expect: ----------------------------------------------------------------------
# expect: Traceback (most recent call last):
# expect: AssertionError: 2 != 3 : rows
# expect:
# expect: ----------------------------------------------------------------------
# expect: Ran 7 tests in 0s
# expect:
# expect: FAILED (failures=3, errors=1, skipped=2, expected failures=1)

# case: fixtures
log = []
class Base(unittest.TestCase):
    def setUp(self):
        log.append('up')
        self.addCleanup(log.append, 'clean')

    def tearDown(self):
        log.append('down')

    def test_b(self):
        log.append('b')

    def test_a(self):
        log.append('a')
        raise ValueError
class Derived(Base):
    @classmethod
    def tearDownClass(cls):
        log.append('end of class')
class Broken(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise OSError('no data')

    def test_never(self):
        log.append('never')
suite = unittest.TestSuite()
suite.addTest(Base('test_b'))
suite.addTests([unittest.TestLoader().loadTestsFromTestCase(Derived), Broken('test_never')])
print(suite.countTestCases(), [str(test) for test in unittest.makeSuite(Base)])
result = report(suite)
print(log, result)
print(unittest.TestLoader().getTestCaseNames(Derived), Base('test_a').id(), repr(Base('test_a')))
said(Base('test_b').debug)
# expect: 4 ['test_a (__main__.Base.test_a)', 'test_b (__main__.Base.test_b)']
# expect: .E.E
# expect: ======================================================================
# expect: ERROR: test_a (__main__.Derived.test_a)
# expect: ----------------------------------------------------------------------
# expect: Traceback (most recent call last):
# expect: ValueError
# expect:
# expect: ======================================================================
# expect: ERROR: setUpClass (__main__.Broken)
# expect: ----------------------------------------------------------------------
# expect: Traceback (most recent call last):
# expect: OSError: no data
# expect:
# expect: ----------------------------------------------------------------------
# expect: Ran 3 tests in 0s
# expect:
# expect: FAILED (errors=2)
# expect: ['up', 'b', 'down', 'clean', 'up', 'a', 'down', 'clean', 'up', 'b', 'down', 'clean', 'end of class'] <unittest.runner.TextTestResult run=3 errors=2 failures=0>
# expect: ['test_a', 'test_b'] __main__.Base.test_a <__main__.Base testMethod=test_a>
# expect: fine

# case: what assertions say
case = unittest.TestCase()
said(case.assertEqual, 1, 2)
said(case.assertEqual, {1, 2}, {2, 3})
said(case.assertNotEqual, 'a', 'a', 'the names')
said(case.assertTrue, [])
said(case.assertFalse, 3)
said(case.assertIs, None, 0)
said(case.assertIsNot, None, None)
said(case.assertIsNone, 0)
said(case.assertIsNotNone, None)
said(case.assertIn, 'x', {'y': 1})
said(case.assertNotIn, 1, [1])
said(case.assertIsInstance, 1, str)
said(case.assertNotIsInstance, 1, int)
said(case.assertGreater, 1, 1)
said(case.assertGreaterEqual, 1, 2)
said(case.assertLess, 2, 1)
said(case.assertLessEqual, 2, 1)
said(case.assertAlmostEqual, 1.0, 1.001)
said(case.assertAlmostEqual, 1.0, 1.001, places=2)
said(case.assertAlmostEqual, 1.0, 1.5, delta=0.25)
said(case.assertNotAlmostEqual, 1.0, 1.00000001)
said(case.assertCountEqual, [1, 2], [2, 1])
said(case.assertRegex, 'abc', r'\d')
said(case.assertNotRegex, 'a1', r'\d')
said(case.assertDictEqual, {'a': 1}, {'a': 1})
said(case.assertListEqual, [1], [1])
said(case.assertTupleEqual, (1,), (1,))
said(case.assertSetEqual, {1}, {1})
said(case.assertSequenceEqual, [1, 2], [1, 2])
said(case.assertMultiLineEqual, 'a\nb', 'a\nb')
said(case.fail, 'given up')
# expect: 1 != 2
# expect: Items in the first set but not the second:
# expect: 1
# expect: Items in the second set but not the first:
# expect: 3
# expect: 'a' == 'a' : the names
# expect: [] is not true
# expect: 3 is not false
# expect: None is not 0
# expect: unexpectedly identical: None
# expect: 0 is not None
# expect: unexpectedly None
# expect: 'x' not found in {'y': 1}
# expect: 1 unexpectedly found in [1]
# expect: 1 is not an instance of <class 'str'>
# expect: 1 is an instance of <class 'int'>
# expect: 1 not greater than 1
# expect: 1 not greater than or equal to 2
# expect: 2 not less than 1
# expect: 2 not less than or equal to 1
# expect: 1.0 != 1.001 within 7 places (0.0009999999999998899 difference)
# expect: fine
# expect: 1.0 != 1.5 within 0.25 delta (0.5 difference)
# expect: 1.0 == 1.00000001 within 7 places
# expect: fine
# expect: Regex didn't match: '\\d' not found in 'abc'
# expect: Regex matched: '1' matches '\\d' in 'a1'
# expect: fine
# expect: fine
# expect: fine
# expect: fine
# expect: fine
# expect: fine
# expect: given up

# case: exceptions that are expected
case = unittest.TestCase()
with case.assertRaises(KeyError) as caught:
    {}['a']
print(repr(caught.exception))
with case.assertRaisesRegex(RuntimeError, 'shapes cannot be multiplied'):
    torch.ones(2, 3) @ torch.ones(2, 3)
said(case.assertRaises, ValueError, int, 'x')
said(case.assertRaises, ValueError, int, '3')
said(case.assertRaises, (ValueError, KeyError), dict)
said(case.assertRaisesRegex, ValueError, 'base 12', int, 'x')
def nothing_raised():
    with case.assertRaises(IndexError):
        [1][0]
said(nothing_raised)
with case.assertRaises(KeyError):
    int('x')  # expect error[ValueError]: invalid literal for int() with base 10: 'x'
# expect: KeyError('a')
# expect: fine
# expect: ValueError not raised by int
# expect: (<class 'ValueError'>, <class 'KeyError'>) not raised by dict
# expect: "base 12" does not match "invalid literal for int() with base 10: 'x'"
# expect: IndexError not raised

# case: all of a program
class TestOne(unittest.TestCase):
    def test_it(self):
        self.assertEqual(1 + 1, 2)
class TestTwo(unittest.TestCase):
    @unittest.skipIf(torch.cuda.is_available(), 'no CUDA')
    def test_b(self):
        self.assertFalse(0)

    @unittest.skipUnless(torch.cuda.is_available(), 'needs CUDA')
    def test_a(self):
        self.assertTrue(0)
program = unittest.main(argv=[''], exit=False)
print(program.result.testsRun, program.result.wasSuccessful(), [why for test, why in program.result.skipped])
print(unittest.main(argv=['', 'TestOne'], exit=False, verbosity=0).result.testsRun)
# expect: 3 True ['needs CUDA']
# expect: 1
