"""csv: rows of texts in lines, with commas between them."""

QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = 0, 1, 2, 3


class Error(Exception):
    pass


class Dialect:
    delimiter, quotechar, lineterminator = ',', '"', '\r\n'
    doublequote, skipinitialspace, quoting = True, False, QUOTE_MINIMAL


class excel(Dialect):
    pass


class excel_tab(excel):
    delimiter = '\t'


class unix_dialect(Dialect):
    lineterminator, quoting = '\n', QUOTE_ALL


SETTINGS = ('delimiter', 'quotechar', 'lineterminator', 'doublequote', 'skipinitialspace', 'quoting')


def dialect_of(dialect, settings):
    named = {'excel': excel, 'excel-tab': excel_tab, 'unix': unix_dialect}
    if isinstance(dialect, str) and dialect not in named:
        raise Error('unknown dialect')
    base, made = named.get(dialect, dialect) if isinstance(dialect, str) else dialect, Dialect()
    for name in SETTINGS:
        setattr(made, name, settings[name] if name in settings else getattr(base, name))
    for name in settings:
        if name not in SETTINGS:
            refuse("unsupported.csv", 'setting', name)
    if not isinstance(made.delimiter, str) or len(made.delimiter) != 1:
        raise TypeError('"delimiter" must be a 1-character string')
    return made


class reader:
    """Goes over the rows of lines; what is between quotes may contain commas and ends of lines."""

    def __init__(self, csvfile, dialect='excel', **fmtparams):
        self.lines, self.dialect, self.line_num = iter(csvfile), dialect_of(dialect, fmtparams), 0

    def __iter__(self):
        return self

    def __next__(self):
        row = Row(self.dialect)
        while True:
            line = next(self.lines, None)
            if line is None and not row.is_quoted:
                raise StopIteration
            if line is None:
                row.end()
                return row.fields
            if not isinstance(line, str):
                raise Error(f'iterator should return strings, not {type(line).__name__} (the file should be opened in '
                            'text mode)')
            self.line_num += 1
            row.take(line)
            if not row.is_quoted:
                return row.fields


class Row:
    """A row on its way: its fields, and the letters of the next one."""

    def __init__(self, dialect):
        self.dialect, self.fields = dialect, []
        self.start()

    def start(self):
        self.letters, self.is_quoted, self.was_quoted = [], False, False

    def end(self):
        text = ''.join(self.letters)
        is_number = self.dialect.quoting == QUOTE_NONNUMERIC and not self.was_quoted
        self.fields.append(float(text) if is_number else text)
        self.start()

    def take(self, line):
        text, i = line.rstrip('\r\n'), 0
        ending = line[len(text):]
        if not text and not self.is_quoted:
            return
        quote = self.dialect.quotechar if self.dialect.quoting != QUOTE_NONE else None
        while i < len(text):
            letter, i = text[i], i + 1
            if self.is_quoted:
                if letter != quote:
                    self.letters.append(letter)
                elif self.dialect.doublequote and text[i:i + 1] == quote:
                    self.letters.append(letter)
                    i += 1
                else:
                    self.is_quoted = False
            elif letter == self.dialect.delimiter:
                self.end()
            elif letter == quote and not self.letters and not self.was_quoted:
                self.is_quoted = self.was_quoted = True
            elif letter == ' ' and self.dialect.skipinitialspace and not self.letters and not self.was_quoted:
                pass
            else:
                self.letters.append(letter)
        if self.is_quoted:
            self.letters.append(ending)
        else:
            self.end()


class writer:
    def __init__(self, csvfile, dialect='excel', **fmtparams):
        self.file, self.dialect = csvfile, dialect_of(dialect, fmtparams)

    def writerow(self, row):
        fields = list(row)
        texts = [self.field(value, len(fields) == 1) for value in fields]
        return self.file.write(self.dialect.delimiter.join(texts) + self.dialect.lineterminator)

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)

    def field(self, value, is_alone):
        dialect, text = self.dialect, '' if value is None else str(value)
        needs = any(letter in text for letter in (dialect.delimiter, dialect.quotechar, '\r', '\n'))
        needs = needs or (is_alone and text == '')
        if dialect.quoting == QUOTE_NONE:
            if needs:
                raise Error('need to escape, but no escapechar set' if text else 'single empty field record must be quoted')
            return text
        is_text = not isinstance(value, (int, float))
        needs = needs or dialect.quoting == QUOTE_ALL or (dialect.quoting == QUOTE_NONNUMERIC and is_text)
        quote = dialect.quotechar
        return quote + text.replace(quote, quote + quote) + quote if needs else text


class DictReader:
    """Each row as a dict; the names are those of the first row, unless they are given."""

    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect='excel', *args, **kwds):
        self._fieldnames = None if fieldnames is None else list(fieldnames)
        self.restkey, self.restval, self.reader = restkey, restval, reader(f, dialect, *args, **kwds)

    def __iter__(self):
        return self

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            self._fieldnames = next(self.reader, None)
        return self._fieldnames

    @property
    def line_num(self):
        return self.reader.line_num

    def __next__(self):
        names = self.fieldnames
        row = next(self.reader)
        while row == []:
            row = next(self.reader)
        found = dict(zip(names, row))
        if len(row) > len(names):
            found[self.restkey] = row[len(names):]
        for name in names[len(row):]:
            found[name] = self.restval
        return found


class DictWriter:
    def __init__(self, f, fieldnames, restval='', extrasaction='raise', dialect='excel', *args, **kwds):
        if extrasaction.lower() not in ('raise', 'ignore'):
            raise ValueError(f"extrasaction ({extrasaction}) must be 'raise' or 'ignore'")
        self.fieldnames, self.restval, self.extrasaction = fieldnames, restval, extrasaction.lower()
        self.writer = writer(f, dialect, *args, **kwds)

    def row(self, rowdict):
        extra = [repr(name) for name in rowdict if name not in self.fieldnames]
        if extra and self.extrasaction == 'raise':
            raise ValueError('dict contains fields not in fieldnames: ' + ', '.join(extra))
        return [rowdict.get(name, self.restval) for name in self.fieldnames]

    def writeheader(self):
        return self.writerow(dict(zip(self.fieldnames, self.fieldnames)))

    def writerow(self, rowdict):
        return self.writer.writerow(self.row(rowdict))

    def writerows(self, rowdicts):
        return self.writer.writerows([self.row(rowdict) for rowdict in rowdicts])
