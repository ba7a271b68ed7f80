import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const APT_DIRECTORY = '/etc/apt';

/**
 * The Debian mirror that this machine uses, from apt's own configuration, or `EMBEDDED_DB_MIRROR`. Undefined when
 * there is none, as on a derivative that has only its own archive.
 */
export function findDebianMirror(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const chosen = environment.EMBEDDED_DB_MIRROR;
  if (chosen) return withoutSlash(chosen);
  return readSources(APT_DIRECTORY)
    .flatMap(({ name, text }) => (name.endsWith('.sources') ? stanzaMirrors(text) : lineMirrors(text)))
    .find(isDebianArchive);
}

function readSources(directory: string): { name: string; text: string }[] {
  const parts = join(directory, 'sources.list.d');
  const names = [join(directory, 'sources.list'), ...listIfPresent(parts).map((name) => join(parts, name))];
  return names
    .filter((name) => name.endsWith('.list') || name.endsWith('.sources'))
    .map((name) => ({ name, text: readIfPresent(name) }));
}

/** One-line format: `deb [options] uri suite components`; sources.list(5). */
export function lineMirrors(text: string): string[] {
  const mirrors: string[] = [];
  for (const line of text.split('\n')) {
    const words = line
      .replace(/\[[^\]]*\]/, '')
      .trim()
      .split(/\s+/);
    if (words[0] === 'deb' && words[1] && words.slice(3).includes('main'))
      mirrors.push(withoutSlash(words[1]));
  }
  return mirrors;
}

/** deb822 format: stanzas of fields; sources.list(5). */
export function stanzaMirrors(text: string): string[] {
  return text.split(/\n\s*\n/).flatMap((stanza) => {
    const fields = readFields(stanza);
    const isUsed = fields.get('enabled') !== 'no' && wordsOf(fields.get('types')).includes('deb');
    if (!isUsed || !wordsOf(fields.get('components')).includes('main')) return [];
    return wordsOf(fields.get('uris')).map(withoutSlash);
  });
}

function readFields(stanza: string): Map<string, string> {
  const fields = new Map<string, string>();
  let current = '';
  for (const line of stanza.split('\n')) {
    if (line.startsWith('#')) continue;
    const colon = line.indexOf(':');
    if (/^\s/.test(line)) {
      fields.set(current, `${fields.get(current) ?? ''} ${line.trim()}`);
    } else if (colon > 0) {
      current = line.slice(0, colon).trim().toLowerCase();
      fields.set(current, line.slice(colon + 1).trim());
    }
  }
  return fields;
}

/** The archive itself, not the security archive beside it nor somebody's repository. */
function isDebianArchive(mirror: string): boolean {
  return mirror.endsWith('/debian');
}

function wordsOf(text: string | undefined): string[] {
  return text ? text.split(/\s+/) : [];
}

function withoutSlash(uri: string): string {
  return uri.endsWith('/') ? uri.slice(0, -1) : uri;
}

function readIfPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function listIfPresent(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch {
    return [];
  }
}
