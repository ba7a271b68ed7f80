import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { BothStyles } from '../journeys/parity/BothStyles.ts';
import {
  differences,
  type Parts,
  password,
  patienceMs,
  running,
  start,
  startParts,
  usePrograms,
} from '../journeys/parity/programs.ts';
import type { Program } from '../support/stack/startProgram.ts';
import { describeEngines } from './engines.ts';
import type { RunningEngine } from './startBinary.ts';

const join = '{ listings(first: 1) { nodes { title seo { keyphrase } } } }';
const createListing =
  'mutation ($input: CreateListingInput!) { createListing(input: $input) { listing { id } } }';
const listingsOf = 'query ($stockNumber: String) { listings(stockNumber: $stockNumber) { nodes { id } } }';

usePrograms();

let parts: Parts;
let router: Program;
let signer: Program;
/** The current process of seo. */
let seo: Program;
beforeAll(async () => {
  parts = await startParts();
  ({ seo } = parts);
  [router, signer] = await Promise.all([
    start('bin/router.ts', parts.urls),
    start('bin/signer.ts', parts.urls),
  ]);
}, patienceMs);

describeEngines((engine) => {
  let front: RunningEngine;
  let styles: BothStyles;
  let token: string;
  const startEngine = async (): Promise<void> => {
    front = await engine.start(signer.url);
    styles = new BothStyles(router.url, undefined, new URL(front.url).origin);
  };
  beforeAll(async () => {
    await startEngine();
    const { body } = await styles.rest({
      operation: 'issueToken',
      body: { grant_type: 'password', username: 'dealer@demo.example', password },
    });
    token = body.access_token;
  }, patienceMs);
  afterAll(() => front.stop(), patienceMs);

  test(
    'returns the same members as REST for every operation',
    async () => {
      expect(await differences(router.url, new URL(front.url).origin)).toEqual([]);
    },
    patienceMs,
  );

  test(
    'returns the fields of the other subgraphs while one is killed, and all fields after its restart',
    async () => {
      const [killed] = running.splice(running.indexOf(seo), 1);
      await killed?.kill();
      const { status, body } = await styles.query(join, {}, token);
      expect(status).toBe(200);
      expect(body.data.listings.nodes[0]).toEqual({ title: expect.any(String), seo: null });
      expect(body.errors.length).toBeGreaterThan(0);
      expect((await styles.query('{ me { id } }', {}, token)).body).not.toHaveProperty('errors');
      seo = await parts.startSeo(seo.url);
      let joined = await styles.query(join, {}, token);
      for (let round = 0; round < 100 && joined.body.errors; round++) {
        await pause(200);
        joined = await styles.query(join, {}, token);
      }
      expect(joined.body).not.toHaveProperty('errors');
    },
    patienceMs,
  );

  test(
    'executes a write once if it is killed during the write and the client repeats it',
    async () => {
      const { body: own } = await styles.rest({ operation: 'listings', query: 'limit=1', token });
      const [{ owner, categoryId }] = own.data;
      const inputs = Array.from({ length: 12 }, () => ({
        dealerId: owner.id,
        categoryId,
        title: 'Volvo 145',
        language: 'en',
        stockNumber: randomUUID().slice(0, 18),
        idempotencyKey: randomUUID(),
      }));
      const attempts = Promise.allSettled(
        inputs.map((input) => styles.query(createListing, { input }, token)),
      );
      await pause(40);
      await front.kill();
      const settled = await attempts;
      await startEngine();
      for (const [index, input] of inputs.entries()) {
        const { body } = await styles.query(createListing, { input }, token);
        expect(body).not.toHaveProperty('errors');
        const attempt = settled[index];
        // An answer that arrived before the kill is repeated.
        if (attempt?.status === 'fulfilled') expect(body).toEqual(attempt.value.body);
        const found = await styles.query(listingsOf, { stockNumber: input.stockNumber }, token);
        expect(found.body.data.listings.nodes).toEqual([{ id: body.data.createListing.listing.id }]);
      }
    },
    patienceMs,
  );

  test(
    'returns an error while the signer is killed, and data after its restart',
    async () => {
      const port = new URL(signer.url).port;
      running.splice(running.indexOf(signer), 1);
      await signer.kill();
      const { body } = await styles.query('{ me { id } }', {}, token);
      expect(body.data?.me ?? null).toBeNull();
      expect(body.errors.length).toBeGreaterThan(0);
      signer = await start('bin/signer.ts', { ...parts.urls, PORT: port });
      const again = await styles.query('{ me { id } }', {}, token);
      expect(again.body).not.toHaveProperty('errors');
    },
    patienceMs,
  );
});
