import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BundleLayout } from './bundleLayout.ts';
import type { Identity } from './Identity.ts';
import { prepareExtensions } from './prepareExtensions.ts';
import { runInitdb } from './runInitdb.ts';

const abandonedAfterMs = 10 * 60_000;

export interface TemplateOptions {
  bundle: BundleLayout;
  identity: Identity;
}

/**
 * Returns a template cluster with everything installed, in the cache next to the programs. Copying it takes a quarter
 * of the time of creating one, which matters for test runs with empty directories. It is created on first use.
 * Undefined if the cache is not writable.
 */
export async function obtainTemplate(options: TemplateOptions): Promise<string | undefined> {
  const { bundle } = options;
  const template = join(bundle.root, 'template');
  if (existsSync(template)) return template;
  const unfinished = `${template}.${randomUUID()}`;
  try {
    removeAbandoned(bundle.root);
    await makeTemplate(options, unfinished);
    renameSync(unfinished, template);
    return template;
  } catch {
    // Another process was faster, or the cache belongs to another user.
    rmSync(unfinished, { recursive: true, force: true });
    return existsSync(template) ? template : undefined;
  }
}

/** Removes files of killed processes; recent ones may belong to a running process. */
function removeAbandoned(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const isAbandoned =
      name.startsWith('template.') && Date.now() - lstatSync(path).mtimeMs > abandonedAfterMs;
    if (isAbandoned) rmSync(path, { recursive: true, force: true });
  }
}

async function makeTemplate({ bundle, identity }: TemplateOptions, directory: string): Promise<void> {
  await runInitdb(join(bundle.programs, 'initdb'), directory, identity);
  const logFile = `${directory}.log`;
  const options = {
    postgres: join(bundle.programs, 'postgres'),
    clusterDir: directory,
    identity,
    isDurable: false,
    logFile,
    log: () => {},
  };
  try {
    await prepareExtensions(options, readFileSync(bundle.manifest, 'utf8'));
  } finally {
    rmSync(logFile, { force: true });
  }
}
