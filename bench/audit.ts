import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { readCarListings } from '../app/demonstration/carListings.ts';
import { benchmark } from './harness/benchmark.ts';
import type { Caller } from './harness/Caller.ts';
import { interleave, ratiosOf } from './harness/interleave.ts';
import { describeRatios, describeTimes, medianOf, report } from './harness/report.ts';
import { askGraphql, jsonLoad, sendOk } from './harness/send.ts';

/**
 * Measures the CPU of the product for a batch of five new pages of 1,000 words, from the request to the response, next
 * to five analyses of drafts. The difference is the cost of reading the pages from their owner and of storing the
 * results.
 */

const words = 1000;
const batchSize = 5;
const warmUpRounds = 1;

export default benchmark({
  measures: 'CPU of an audit batch of five pages, beside five analyses of drafts that store nothing',
  settings: {
    rounds: { usual: 12, quick: 1, means: 'rounds in which batches and drafts take turns' },
    batches: { usual: 5, quick: 1, means: 'batches in a round' },
    restMs: { usual: 5000, quick: 500, means: 'pause after the pages are created' },
  },
  async measure({ rounds, batches, restMs }, { openMarketplace }) {
    const { product, signIn } = await openMarketplace();
    const pool = new Pool(product.url, { connections: 4 });
    const caller = signIn('admin');
    const count = (warmUpRounds + rounds) * batches * batchSize;
    const job = await startAudit(pool, caller, await createPages(pool, caller, count));
    // Other subgraphs process new pages in the background.
    await pause(restMs);
    const draft = jsonLoad('POST', '/api/rest/seo-tools/v1/analysis', draftOf(count), caller);
    const measure = async (once: () => Promise<number>): Promise<Round> => {
      const before = product.cpuSeconds();
      const times: number[] = [];
      for (let batch = 0; batch < batches; batch += 1) times.push(await once());
      return { times, cpuMs: ((product.cpuSeconds() - before) * 1000) / batches };
    };
    const measured = await interleave(warmUpRounds + rounds, {
      batch: () => measure(() => job.runBatch()),
      drafts: () =>
        measure(async () => {
          const begun = performance.now();
          for (let item = 0; item < batchSize; item += 1) await sendOk(pool, draft);
          return performance.now() - begun;
        }),
    });
    const [batch, drafts] = [measured.batch.slice(warmUpRounds), measured.drafts.slice(warmUpRounds)];
    reportRounds('batch of five pages', batch);
    reportRounds('five drafts', drafts);
    const ratios = ratiosOf(batch, drafts, ({ cpuMs }) => cpuMs);
    report('CPU, batch : drafts', describeRatios(ratios));
    await pool.close();
  },
});

interface Round {
  readonly times: readonly number[];
  /** CPU time of one batch in milliseconds. */
  readonly cpuMs: number;
}

function reportRounds(name: string, rounds: readonly Round[]): void {
  const cpuMs = medianOf(rounds, (round) => round.cpuMs).toFixed(1);
  report(name, `CPU ${cpuMs} ms; ${describeTimes(rounds.flatMap(({ times }) => times))}`);
}

async function createPages(pool: Pool, as: Caller, count: number): Promise<string[]> {
  const ids: string[] = [];
  const query = 'mutation ($input: CreatePageInput!) { createPage(input: $input) { page { id } } }';
  for (let index = 0; index < count; index += 1) {
    const input = { title: `Audited ${index}`, languageTag: 'en', html: draftOf(index).content };
    const { data } = await askGraphql(pool, {
      query,
      variables: { input },
      as,
    });
    const { createPage } = data as { createPage: { page: { id: string } } };
    ids.push(createPage.page.id);
  }
  return ids;
}

interface JobAnswer {
  readonly id: string;
  readonly nextItemIds: readonly string[];
}

/** Starts an audit of the pages. Each `runBatch` audits the next five and returns its duration in milliseconds. */
async function startAudit(pool: Pool, as: Caller, pageIds: readonly string[]) {
  const { data } = await askGraphql(pool, {
    query:
      'mutation ($input: StartSeoAuditInput!) { startSeoAudit(input: $input) { job { id nextItemIds } } }',
    variables: { input: { items: pageIds.map((id) => ({ type: 'PAGE', id })) } },
    as,
  });
  const { startSeoAudit } = data as { startSeoAudit: { job: JobAnswer } };
  const { id: jobId } = startSeoAudit.job;
  let { nextItemIds: itemIds } = startSeoAudit.job;
  const query = `mutation ($input: RunSeoAuditBatchInput!) { runSeoAuditBatch(input: $input) {
    processed { state score } job { id nextItemIds } } }`;
  return {
    async runBatch(): Promise<number> {
      const { data, ms } = await askGraphql(pool, { query, variables: { input: { jobId, itemIds } }, as });
      const { runSeoAuditBatch } = data as {
        runSeoAuditBatch: { processed: { state: string }[]; job: JobAnswer };
      };
      const { processed, job } = runSeoAuditBatch;
      if (processed.length !== batchSize || processed.some(({ state }) => state !== 'SUCCEEDED'))
        throw new Error(`A batch was not audited: ${JSON.stringify(processed)}`);
      itemIds = job.nextItemIds;
      return ms;
    },
  };
}

/** Returns descriptions of real cars in an order that depends on the seed, cut to the number of words. */
function draftOf(seed: number): { content: string; keyphrase: string; locale: string } {
  const texts = readCarListings().map(({ description }) => description);
  const chosen: string[] = [];
  for (let index = seed; chosen.length < words; index += 7)
    chosen.push(...(texts[index % texts.length] ?? 'car').split(/\s+/));
  const paragraphs = Array.from({ length: 10 }, (_, part) =>
    chosen.slice((part * words) / 10, ((part + 1) * words) / 10).join(' '),
  );
  const content = paragraphs.map((text, index) => `<h2>Part ${index + 1}</h2><p>${text}</p>`).join('');
  return { content, keyphrase: 'used car', locale: 'en' };
}
