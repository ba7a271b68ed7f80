import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { generateApi } from 'swagger-typescript-api';
import type { Journey, NewListing } from './Journey.ts';

const root = path.join(import.meta.dirname, '..');
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');

/** Answer of the generated client; a refusal is thrown in the same form. */
interface Answer {
  data: any;
  error: any;
}

type Call = (...rest: unknown[]) => Promise<Answer>;

/** Used parts of the generated client, by the tags of the contract. */
type Api = Record<string, Record<string, Call>>;

/**
 * Runs the journey with the client that `swagger-typescript-api` generates from the current contract, compiled in
 * strict mode. A committed copy would only show that it worked once.
 */
export async function swaggerTypescriptJourney(baseUrl: string): Promise<Journey> {
  const api = await generate(baseUrl);
  const call = (tag: string, name: string): Call => {
    const found = api[tag]?.[name];
    if (!found) throw new Error(`The client has no ${tag}.${name}.`);
    return found;
  };
  const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const data = async (answer: Promise<Answer>) => (await answer).data;
  return {
    async signIn(username, password) {
      const grant = { grant_type: 'password', username, password };
      return (await data(call('auth', 'issueToken')(grant))).access_token;
    },
    createListing: (token, listing: NewListing) => data(call('listing', 'createListing')(listing, as(token))),
    publishListing: (token, id) => data(call('listing', 'publishListing')(id, as(token))),
    search: (q) => data(call('catalog', 'catalogListings')({ q, limit: 5 })),
    startConversation: (token, message) => data(call('messaging', 'startConversation')(message, as(token))),
    async analyze(token, id) {
      const { checks, profile } = await data(
        call('seo', 'seoAnalyze')({ object: { type: 'listing', id } }, as(token)),
      );
      return { checks: checks.length, profile };
    },
    async link(token, id, language, sourceId) {
      const link = {
        object: { type: 'listing', id, language },
        relatedTo: { type: 'listing', id: sourceId },
      };
      const { members } = await data(call('translation', 'linkRelation')(link, as(token)));
      return { members: members.map((member: { object: { id: string } }) => member.object.id) };
    },
    async refusalOf(token, listingId) {
      const refusal = await call('listing', 'listing')(listingId, as(token)).catch(
        (thrown: Answer) => thrown,
      );
      return refusal.error?.code ?? 'none';
    },
  };
}

async function generate(baseUrl: string): Promise<Api> {
  const contract = path.join(root, '../../schema/openapi.json');
  const { files } = await generateApi({
    spec: JSON.parse(await readFile(contract, 'utf8')),
    output: false,
    httpClientType: 'fetch',
    moduleNameFirstTag: true,
    silent: true,
  });
  const source = files.map(({ fileContent }) => fileContent).join('\n');
  const folder = path.join(root, 'dist', `journey-${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(path.join(folder, 'api.ts'), source);
    await compile(folder);
    const { code } = await transform(source, { loader: 'ts', target: 'es2022' });
    await writeFile(path.join(folder, 'api.mjs'), code);
    const { Api } = await import(pathToFileURL(path.join(folder, 'api.mjs')).href);
    return new Api({ baseUrl });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compile(folder: string): Promise<void> {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  };
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['api.ts'] }),
  );
  await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
    ({ stdout }: { stdout: string }) => {
      throw new Error(`The generated client does not compile:\n${stdout.slice(0, 2000)}`);
    },
  );
}
