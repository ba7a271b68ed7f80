import type { Installation } from '../../subgraphs/platform/installation/Installation.ts';
import type { TestApp } from '../support/openTestApp.ts';

/** Executes an operation of a subgraph as somebody; fails with the whole answer if it is refused. */
export async function execute(
  { stack }: TestApp,
  source: string,
  variables: object,
  token: string,
  installation: Installation,
  subgraph = 'translation',
): Promise<any> {
  const result = await stack.execute(source, variables as Record<string, unknown>, {
    as: token,
    installation,
    subgraph,
  });
  if (result.errors) throw new Error(`The world cannot be made: ${JSON.stringify(result.errors)}`);
  return result.data;
}
