import { loadBuilders } from '../../../app/product/loadBuilders.ts';
import { atEnd } from './atEnd.ts';
import { onConnectionNeeded } from './connectTestDatabase.ts';
import { openTestStack, type TestStack } from './openTestStack.ts';

let shared: Promise<TestStack> | undefined;

/**
 * The stack of this worker with all three subgraphs. It stays open across test files, each of which creates its own
 * installation, and closes when a file opens a database of its own.
 */
export function openSharedStack(): Promise<TestStack> {
  shared ??= open();
  return shared;
}

async function open(): Promise<TestStack> {
  const stack = await openTestStack({ subgraphs: Object.values(await loadBuilders()) });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    shared = undefined;
    closed ??= stack.close();
    return closed;
  };
  onConnectionNeeded(close);
  atEnd(close);
  return stack;
}
