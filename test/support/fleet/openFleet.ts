import { type Balancer, openBalancer } from '../servers/openBalancer.ts';
import type { Program } from '../stack/startProgram.ts';

const subgraphs = ['identity', 'seo', 'translation'] as const;
export type Part = 'router' | (typeof subgraphs)[number];

/** Several routers and subgraphs on one database, each kind behind a balancer. */
export interface Fleet {
  /** Address for clients. */
  url: string;
  balancers: Readonly<Record<Part, Balancer>>;
  programs: Readonly<Record<Part, readonly Program[]>>;
  /** Starts another process of a part, and stops one. Requests continue to be balanced. Returns the exit code. */
  replace(part: Part, program: Program): Promise<number | null>;
  close(): Promise<void>;
}

/**
 * Starts as many processes of each kind as requested. The caller ends them; `close` ends the balancers.
 *
 * @param start starts a program of the project with the shared settings
 * @param options of the balancers
 */
export async function openFleet(
  start: (script: string, environment: Record<string, string>, args: string[]) => Promise<Program>,
  count: Readonly<Record<Part, number>>,
  options: { checksHealth?: boolean } = {},
): Promise<Fleet> {
  const opened = await Promise.all(
    [...subgraphs, 'router' as const].map(async (part) => [part, await openBalancer(options)] as const),
  );
  const balancers = Object.fromEntries(opened) as Record<Part, Balancer>;
  const urls = {
    IDENTITY_URL: balancers.identity.url,
    SEO_URL: balancers.seo.url,
    TRANSLATION_URL: balancers.translation.url,
    SUBGRAPH_LISTEN: '127.0.0.1:0',
    TRUSTED_PROXIES: '1',
  };
  const programs: Record<Part, Program[]> = { router: [], identity: [], seo: [], translation: [] };
  const startOne = async (part: Part): Promise<Program> => {
    const script = part === 'router' ? 'bin/router.ts' : 'bin/subgraph.ts';
    const program = await start(script, urls, part === 'router' ? [] : [part]);
    balancers[part].add(program.url);
    return program;
  };
  for (const part of [...subgraphs, 'router'] as const)
    programs[part] = await Promise.all(Array.from({ length: count[part] }, () => startOne(part)));
  return {
    url: balancers.router.url,
    balancers,
    programs,
    async replace(part, program) {
      const successor = await startOne(part);
      programs[part] = programs[part].map((one) => (one === program ? successor : one));
      return program.stop();
    },
    async close() {
      for (const balancer of Object.values(balancers)) await balancer.close();
    },
  };
}
