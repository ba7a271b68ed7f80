import { openSearchObstacle } from './openSearchParts.ts';
import { type RunningOpenSearch, startOpenSearch } from './startOpenSearch.ts';

/**
 * Declares tests that need OpenSearch. They run on a node of their own, or on the engine of `TEST_OPENSEARCH_URL`. If
 * neither is possible, they are skipped, and the title states what is missing.
 */
export function describeOpenSearch(
  name: string,
  declare: (engine: () => Pick<RunningOpenSearch, 'url'>) => void,
): void {
  const { TEST_OPENSEARCH_URL: url } = process.env;
  const obstacle = url ? undefined : openSearchObstacle();
  if (obstacle !== undefined) {
    describe.skip(`${name} (OpenSearch ${obstacle})`, () => declare(() => ({ url: '' })));
    return;
  }
  describe(name, () => {
    let engine: Pick<RunningOpenSearch, 'url' | 'stop'>;
    beforeAll(async () => {
      engine = url ? { url, stop: async () => undefined } : await startOpenSearch();
    }, 180_000);
    afterAll(() => engine.stop(), 60_000);
    declare(() => engine);
  });
}
