import { setTimeout as pause } from 'node:timers/promises';
import type { Program } from '../support/stack/startProgram.ts';
import { BothStyles } from './parity/BothStyles.ts';
import {
  differences,
  type Parts,
  password,
  patienceMs,
  running,
  start,
  startParts,
  usePrograms,
} from './parity/programs.ts';

usePrograms();

describe('with router and subgraphs in separate processes', () => {
  let router: Program;
  let parts: Parts;
  let seoUrl: string;
  beforeAll(async () => {
    parts = await startParts();
    router = await start('bin/router.ts', parts.urls);
  }, patienceMs);

  test(
    'REST and GraphQL return equal members for every operation',
    async () => {
      expect(await differences(router.url)).toEqual([]);
    },
    patienceMs,
  );

  test('a subgraph refuses requests that are not from its router', async () => {
    const [identity] = running.filter(({ name, url }) => name === 'subgraph.ts' && url !== undefined);
    const answer = await fetch(identity?.url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ signingKeys { keys { kid } } }' }),
    });
    expect(answer.status).toBe(401);
  });

  test('GraphQL returns partial data and REST returns 503 for routes of a subgraph that has stopped', async () => {
    const seo = running.findIndex(({ printed }) => printed.includes('(seo)'));
    // A regular stop releases its leases.
    const [stopped] = running.splice(seo, 1);
    seoUrl = stopped?.url ?? '';
    expect(await stopped?.stop()).toBe(0);
    const styles = new BothStyles(router.url);
    const { body } = await styles.rest({
      operation: 'issueToken',
      body: { grant_type: 'password', username: 'dealer@demo.example', password },
    });
    const token = body.access_token;
    const joined = await styles.query(
      '{ listings(first: 1) { nodes { title seo { keyphrase } } } }',
      {},
      token,
    );
    expect(joined.body.data.listings.nodes[0]).toMatchObject({ title: expect.any(String), seo: null });
    expect(joined.body.errors[0]).toMatchObject({ extensions: { code: 'UPSTREAM_UNAVAILABLE' } });
    expect(await styles.rest({ operation: 'me', token })).toMatchObject({ status: 200 });
    const analysis = await styles.rest({ operation: 'seoAnalyze', body: { content: '<p>Volvo</p>' }, token });
    expect(analysis).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(analysis.headers['retry-after']).toBeDefined();
  });

  test(
    'a subgraph that is killed repeatedly affects no request of the others, and is used again after each restart',
    async () => {
      const styles = new BothStyles(router.url);
      const { body } = await styles.rest({
        operation: 'issueToken',
        body: { grant_type: 'password', username: 'dealer@demo.example', password },
      });
      const call = { body: { content: '<p>Volvo</p>' }, token: body.access_token };
      const until = async (wanted: number): Promise<void> => {
        let status = 0;
        for (let round = 0; round < 300 && status !== wanted; round++) {
          if (round > 0) await pause(200);
          ({ status } = await styles.rest({ operation: 'seoAnalyze', ...call }));
        }
        expect(status).toBe(wanted);
      };
      const fates: number[] = [];
      const over = new AbortController();
      const client = async (): Promise<void> => {
        while (!over.signal.aborted) {
          fates.push((await styles.rest({ operation: 'catalogListings' })).status);
          await pause(20);
        }
      };
      const clients = [client(), client()];
      const begun = performance.now();
      while (performance.now() - begun < 20_000) {
        const seo = await parts.startSeo(seoUrl);
        await until(200);
        running.splice(running.indexOf(seo), 1);
        await seo.kill();
        await until(503);
      }
      over.abort();
      await Promise.all(clients);
      expect(fates.length).toBeGreaterThan(100);
      const failed = fates.filter((status) => status !== 200);
      expect(failed.length).toBeLessThanOrEqual(fates.length / 1000);
    },
    patienceMs,
  );
});
