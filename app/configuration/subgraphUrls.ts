import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const config = parse(readFileSync(new URL('../../supergraph.yaml', import.meta.url), 'utf8')) as {
  subgraphs: Record<string, { routing_url: string }>;
};

/** Names of the subgraphs in `supergraph.yaml`; reading them loads no code of a subgraph. */
export const subgraphNames: readonly string[] = Object.keys(config.subgraphs);

/** Address of a subgraph that runs alone: `IDENTITY_URL`, `SEO_URL`, `TRANSLATION_URL`, else that of `supergraph.yaml`. */
export function subgraphUrl(
  name: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const url = environment[`${name.toUpperCase()}_URL`] ?? config.subgraphs[name]?.routing_url;
  if (url === undefined || !URL.canParse(url))
    throw new Error(`The address of the subgraph "${name}" is "${url}", which is no URL.`);
  return url;
}
