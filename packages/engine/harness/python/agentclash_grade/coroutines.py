"""Coroutines that one process awaits for the other: to their end, on an event loop of its own, while the loop that awaits
them stays as it is. Tasks that a coroutine leaves continue with the next one."""

import asyncio
import threading

LOOPS = threading.local()


def run(awaitable):
    outer = asyncio._get_running_loop()
    kept = getattr(LOOPS, "kept", None)
    if kept is None:
        kept = LOOPS.kept = asyncio.new_event_loop()
    loop = asyncio.new_event_loop() if kept.is_running() else kept
    task = None if outer is None else asyncio.current_task(outer)
    if task is not None:
        asyncio.tasks._leave_task(outer, task)
    asyncio._set_running_loop(None)
    try:
        return loop.run_until_complete(awaited(awaitable))
    finally:
        asyncio._set_running_loop(outer)
        if task is not None:
            asyncio.tasks._enter_task(outer, task)
        if loop is not kept:
            loop.close()


async def awaited(awaitable):
    return await awaitable
