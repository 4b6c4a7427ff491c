"""statistics: means and spreads of plain numbers."""
import collections
import math


class StatisticsError(ValueError):
    pass


def mean(data):
    data = list(data)
    if not data:
        raise StatisticsError('mean requires at least one data point')
    total = math.fsum(data) / len(data)
    return int(total) if all(isinstance(x, int) for x in data) and total == int(total) else total


def fmean(data):
    return float(mean(data))


def median(data):
    data = sorted(data)
    if not data:
        raise StatisticsError('no median for empty data')
    middle = len(data) // 2
    return data[middle] if len(data) % 2 else (data[middle - 1] + data[middle]) / 2


def mode(data):
    counts = collections.Counter(data).most_common(1)
    if not counts:
        raise StatisticsError('no mode for empty data')
    return counts[0][0]


def pvariance(data, mu=None):
    data = list(data)
    center = math.fsum(data) / len(data)
    return math.fsum((x - center) ** 2 for x in data) / len(data)


def variance(data, xbar=None):
    data = list(data)
    if len(data) < 2:
        raise StatisticsError('variance requires at least two data points')
    return pvariance(data) * len(data) / (len(data) - 1)


def stdev(data, xbar=None):
    return math.sqrt(variance(data))


def pstdev(data, mu=None):
    return math.sqrt(pvariance(data))
