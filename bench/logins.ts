import { Pool } from 'undici';
import { benchmark } from './harness/benchmark.ts';
import { reportReader, startBustle } from './harness/readMe.ts';
import { describeTimes, report } from './harness/report.ts';
import { jsonLoad, send } from './harness/send.ts';

/** Measures how concurrent sign-ins affect a user who is already signed in. */

const people = ['admin', 'dealer', 'buyer', 'editor', 'translator'];

export default benchmark({
  measures: 'GET /api/v1/me alone and beside many sign-ins at once, as a ratio of one run',
  settings: {
    crowd: { usual: 64, quick: 8, means: 'people who sign in at once' },
    rounds: { usual: 6, quick: 1, means: 'rounds without and with sign-ins, in turns' },
    roundMs: { usual: 5000, quick: 500, means: 'length of a round' },
  },
  async measure({ crowd, ...span }, { openMarketplace }) {
    const { product, caller, shared } = await openMarketplace();
    const pool = new Pool(product.url, { connections: crowd });
    const times: number[] = [];
    /** Sign-ins that a busy machine rejected instead of queueing them beyond the clients' patience. */
    let refused = 0;
    const signIn = async (place: number): Promise<void> => {
      const username = `${people[place % people.length]}@demo.example`;
      const credentials = { grant_type: 'password', username, password: shared.DEMO_PASSWORD };
      const { status, text, ms } = await send(pool, jsonLoad('POST', '/api/v1/auth/token', credentials));
      if (status === 200) times.push(ms);
      else if (status === 503) refused += 1;
      else throw new Error(`A sign-in answered ${status}: ${text}`);
    };
    await reportReader({ url: product.url, caller }, span, [
      `${crowd} sign-ins at once`,
      () => startBustle(crowd, signIn),
    ]);
    report('sign-ins', `${describeTimes(times)}, ${refused} refused`);
    await pool.close();
  },
});
