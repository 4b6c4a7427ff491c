"""datetime: days and spans of time, by the proleptic Gregorian calendar. What the clock says is that of time.time()."""
import re
import time

DAYS = ('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday')
MONTHS = ('January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November',
          'December')


class Ordered:
    """Compared by its whole number of microseconds."""

    def __hash__(self):
        return hash(self.whole())

    def __eq__(self, other):
        return type(self) is type(other) and self.whole() == other.whole()

    def __lt__(self, other):
        return self.whole() < other.whole()

    def __le__(self, other):
        return self.whole() <= other.whole()

    def __gt__(self, other):
        return self.whole() > other.whole()

    def __ge__(self, other):
        return self.whole() >= other.whole()


class timedelta(Ordered):
    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        total = round((days + 7 * weeks) * 86_400_000_000 + (seconds + 60 * minutes + 3600 * hours) * 1_000_000 +
                      milliseconds * 1000 + microseconds)
        self.days, rest = divmod(total, 86_400_000_000)
        self.seconds, self.microseconds = divmod(rest, 1_000_000)

    def whole(self):
        return (self.days * 86_400 + self.seconds) * 1_000_000 + self.microseconds

    def total_seconds(self):
        return self.whole() / 1_000_000

    def __str__(self):
        minutes, seconds = divmod(self.seconds, 60)
        hours, minutes = divmod(minutes, 60)
        text = f'{hours}:{minutes:02}:{seconds:02}'
        if self.days:
            text = f'{self.days} day{"" if abs(self.days) == 1 else "s"}, {text}'
        return text + (f'.{self.microseconds:06}' if self.microseconds else '')

    def __repr__(self):
        parts = [f'{name}={getattr(self, name)}' for name in ('days', 'seconds', 'microseconds') if getattr(self, name)]
        return f'datetime.timedelta({", ".join(parts) or 0})'

    def __add__(self, other):
        return timedelta(microseconds=self.whole() + other.whole()) if isinstance(other, timedelta) else other + self

    def __sub__(self, other):
        return timedelta(microseconds=self.whole() - other.whole())

    def __neg__(self):
        return timedelta(microseconds=-self.whole())

    def __mul__(self, other):
        return timedelta(microseconds=self.whole() * other)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self.whole() / other.whole()
        return timedelta(microseconds=self.whole() / other)


def ordinal(year, month, day):
    """Days since the 31st of December of the year 0."""
    year, shifted = (year, month) if month > 2 else (year - 1, month + 12)
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * shifted - 457) // 5 + day - 306


def from_ordinal(days):
    year = days * 400 // 146_097 + 1
    while ordinal(year, 1, 1) > days:
        year -= 1
    month = 12
    while ordinal(year, month, 1) > days:
        month -= 1
    return year, month, days - ordinal(year, month, 1) + 1


class date(Ordered):
    def __init__(self, year, month, day):
        if not 1 <= month <= 12:
            raise ValueError('month must be in 1..12')
        if from_ordinal(ordinal(year, month, day)) != (year, month, day):
            raise ValueError('day is out of range for month')
        self.year, self.month, self.day = year, month, day

    @classmethod
    def today(cls):
        return cls.fromtimestamp(time.time())

    @classmethod
    def fromtimestamp(cls, timestamp):
        return cls(*from_ordinal(int(timestamp // 86_400) + ordinal(1970, 1, 1)))

    @classmethod
    def fromisoformat(cls, text):
        return cls(*[int(part) for part in text.split('-')])

    def toordinal(self):
        return ordinal(self.year, self.month, self.day)

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.weekday() + 1

    def strftime(self, format):
        weekday, month = DAYS[self.weekday()], MONTHS[self.month - 1]
        hour, minute, second = getattr(self, 'hour', 0), getattr(self, 'minute', 0), getattr(self, 'second', 0)
        parts = {'Y': self.year, 'y': f'{self.year % 100:02}', 'm': f'{self.month:02}', 'd': f'{self.day:02}',
                 'H': f'{hour:02}', 'M': f'{minute:02}', 'S': f'{second:02}', 'I': f'{(hour - 1) % 12 + 1:02}',
                 'p': 'AM' if hour < 12 else 'PM', 'f': f'{getattr(self, "microsecond", 0):06}', 'A': weekday,
                 'a': weekday[:3], 'B': month, 'b': month[:3], 'j': f'{self.toordinal() - ordinal(self.year, 1, 0):03}',
                 '%': '%'}
        text, rest = '', format
        while rest:
            if rest[0] == '%' and len(rest) > 1:
                text += str(parts.get(rest[1], '%' + rest[1]))
            else:
                text += rest[0]
            rest = rest[2 if rest[0] == '%' and len(rest) > 1 else 1:]
        return text

    def __format__(self, format):
        return self.strftime(format) if format else str(self)

    def isoformat(self):
        return f'{self.year:04}-{self.month:02}-{self.day:02}'

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        return f'datetime.date({self.year}, {self.month}, {self.day})'

    def instant(self):
        """Since the beginning of the year 1."""
        return timedelta(days=self.toordinal())

    def whole(self):
        return self.instant().whole()

    def at(self, instant):
        return date(*from_ordinal(instant.days))

    def replace(self, year=None, month=None, day=None):
        return date(year or self.year, month or self.month, day or self.day)

    def __add__(self, other):
        return self.at(self.instant() + other)

    def __sub__(self, other):
        return self.at(self.instant() - other) if isinstance(other, timedelta) else self.instant() - other.instant()


class datetime(date):
    def __init__(self, year, month, day, hour=0, minute=0, second=0, microsecond=0):
        date.__init__(self, year, month, day)
        self.hour, self.minute, self.second, self.microsecond = hour, minute, second, microsecond

    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time())

    @classmethod
    def utcnow(cls):
        return cls.now()

    @classmethod
    def fromtimestamp(cls, timestamp, tz=None):
        return datetime(1970, 1, 1) + timedelta(seconds=timestamp)

    @classmethod
    def fromisoformat(cls, text):
        day, _, clock = text.replace('T', ' ').partition(' ')
        hours, _, part = clock.partition('.')
        return cls(*[int(each) for each in day.split('-')], *[int(each) for each in hours.split(':') if each],
                   microsecond=int((part + '000000')[:6]) if part else 0)

    @classmethod
    def strptime(cls, date_string, format):
        pattern, names = '', []
        for i, part in enumerate(re.split('%(.)', format)):
            if i % 2 == 0 or part not in FIELDS:
                pattern += re.escape('%' * (i % 2) * (part != '%') + part)
                continue
            names.append(part)
            pattern += f'({FIELDS[part]})'
        found = re.fullmatch(pattern, date_string, re.IGNORECASE)
        if found is None:
            raise ValueError(f'time data {date_string!r} does not match format {format!r}')
        return cls(*fields_of(dict(zip(names, found.groups()))))

    def date(self):
        return day_of(self)

    def timestamp(self):
        return (self - datetime(1970, 1, 1)).total_seconds()

    def instant(self):
        return timedelta(self.toordinal(), self.second, self.microsecond, 0, self.minute, self.hour)

    def at(self, instant):
        minutes, second = divmod(instant.seconds, 60)
        return datetime(*from_ordinal(instant.days), *divmod(minutes, 60), second, instant.microseconds)

    def replace(self, **changes):
        names = ('year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond')
        return datetime(*[changes.get(name, getattr(self, name)) for name in names])

    def isoformat(self, sep='T', timespec='auto'):
        text = f'{date.isoformat(self)}{sep}{self.hour:02}:{self.minute:02}:{self.second:02}'
        is_exact = self.microsecond and timespec == 'auto' or timespec == 'microseconds'
        return text + (f'.{self.microsecond:06}' if is_exact else '')

    def __str__(self):
        return self.isoformat(' ')

    def __repr__(self):
        parts = [self.year, self.month, self.day, self.hour, self.minute]
        parts += [self.second, self.microsecond] if self.microsecond else [self.second] if self.second else []
        return f'datetime.datetime({", ".join([str(part) for part in parts])})'


# What strptime() reads for a letter.
FIELDS = {'Y': '[0-9]{4}', 'y': '[0-9]{2}', 'm': '1[0-2]|0?[1-9]', 'd': '3[01]|[12][0-9]|0?[1-9]', 'H': '2[0-3]|[01]?[0-9]',
          'I': '1[0-2]|0?[1-9]', 'M': '[0-5]?[0-9]', 'S': '6[01]|[0-5]?[0-9]', 'f': '[0-9]{1,6}', 'p': 'AM|PM',
          'B': '|'.join(MONTHS), 'b': '|'.join([name[:3] for name in MONTHS]),
          'A': '|'.join(DAYS), 'a': '|'.join([name[:3] for name in DAYS])}


def fields_of(texts):
    year = int(texts.get('Y', '1900'))
    if 'y' in texts:
        year = int(texts['y']) + (2000 if int(texts['y']) < 69 else 1900)
    month, hour = int(texts.get('m', '1')), int(texts.get('H', '0'))
    name = texts.get('B', texts.get('b'))
    if name is not None:
        month = [each[:3].lower() for each in MONTHS].index(name[:3].lower()) + 1
    if 'I' in texts:
        hour = int(texts['I']) % 12 + 12 * (texts.get('p', 'AM').upper() == 'PM')
    return (year, month, int(texts.get('d', '1')), hour, int(texts.get('M', '0')), int(texts.get('S', '0')),
            int((texts.get('f', '0') + '000000')[:6]))


def day_of(moment):
    return date(moment.year, moment.month, moment.day)
