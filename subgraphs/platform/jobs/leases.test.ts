import { setTimeout as pause } from 'node:timers/promises';
import { product } from '../../../test/support/product.ts';
import { unique } from '../../../test/support/seed.ts';
import { type Lease, type Leases, openLeases } from './leases.ts';

product();
const lengthMs = 300;

/** Takes a lease as soon as it is free. */
async function takeOver(leases: Leases, name: string): Promise<Lease> {
  for (;;) {
    const lease = await leases.take(name);
    if (lease) return lease;
    await pause(20);
  }
}

test('a lease that another process took over is refused to its former holder, who cannot release it', async () => {
  const name = unique('lease');
  const [former, next] = [openLeases(lengthMs), openLeases(lengthMs)];
  try {
    const lost = await takeOver(former, name);
    // Its process is stopped: it renews nothing.
    former.close();
    const taken = await takeOver(next, name);
    expect(taken.fence).toBe(lost.fence + 1);
    await expect(lost.assertHeld()).rejects.toThrow();
    expect(lost.signal.aborted).toBe(true);
    await lost.release();
    await expect(taken.assertHeld()).resolves.toBeUndefined();
    expect(await former.take(name)).toBeNull();
  } finally {
    next.close();
  }
});
