"""queue: items in the order in which they came, or by their rank."""
from collections import deque
from heapq import heappop, heappush


class Empty(Exception):
    pass


class Full(Exception):
    pass


class Queue:
    """Of one thread: whoever would wait for an item would wait for ever."""

    def __init__(self, maxsize=0):
        self.maxsize, self.queue = maxsize, self._made()

    def qsize(self):
        return len(self.queue)

    def empty(self):
        return not self.queue

    def full(self):
        return 0 < self.maxsize <= len(self.queue)

    def put(self, item, block=True, timeout=None):
        if self.full():
            raise Full
        self._put(item)

    def get(self, block=True, timeout=None):
        if not self.queue:
            raise Empty
        return self._get()

    def put_nowait(self, item):
        self.put(item)

    def get_nowait(self):
        return self.get()

    def task_done(self):
        pass

    join = task_done

    _made = deque

    def _put(self, item):
        self.queue.append(item)

    def _get(self):
        return self.queue.popleft()


class LifoQueue(Queue):
    _made = list

    def _get(self):
        return self.queue.pop()


class PriorityQueue(Queue):
    _made = list

    def _put(self, item):
        heappush(self.queue, item)

    def _get(self):
        return heappop(self.queue)


SimpleQueue = Queue
