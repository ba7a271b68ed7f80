import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { readBrowserFile } from './readBrowserFile.ts';
import type { Site } from './Site.ts';
import type { Section } from './search/sectionsOf.ts';
import { synonyms } from './search/synonyms.ts';

/** A file that pages load. */
interface SiteAsset {
  readonly mediaType: string;
  readonly body: string | Buffer;
}

const css = 'text/css; charset=utf-8';
const script = 'text/javascript; charset=utf-8';
const resolve = createRequire(import.meta.url).resolve;

/** Scripts and styles of Swagger UI; no other file of the package is reachable. */
const ofSwagger = (name: string) => () => readFileSync(resolve(`swagger-ui-dist/${name}`));

/** Files of `browser/`. */
const own = (name: string) => () => readBrowserFile(name);

/** Readers of all files below `/docs/` that are not pages, by name. */
const assets: Readonly<Record<string, readonly [mediaType: string, read: (site: Site) => string | Buffer]>> =
  {
    'shell.css': [css, own('shell.css')],
    'site.css': [css, own('site.css')],
    'site.js': [script, own('site.js')],
    'theme.js': [script, own('theme.js')],
    'find.js': [script, own('find.js')],
    'minisearch.js': [script, () => readFileSync(path.join(resolve('minisearch'), '../../umd/index.js'))],
    'search.js': [script, (site) => searchScript(site.sections())],
    'audit.css': [css, own('audit.css')],
    'rows.js': [script, own('rows.js')],
    'usage.js': [script, own('usage.js')],
    'storefront.css': [css, own('storefront.css')],
    'conversation.js': [script, own('conversation.js')],
    'swagger-ui.css': [css, ofSwagger('swagger-ui.css')],
    'swagger-ui-bundle.js': [script, ofSwagger('swagger-ui-bundle.js')],
    'swagger-theme.css': [css, own('swagger-theme.css')],
    'swagger-start.js': [script, own('swagger-start.js')],
    'schema-check.yml': [
      'text/plain; charset=utf-8',
      () => readFileSync(path.join(import.meta.dirname, '../docs/ci/schema-check.yml')),
    ],
  };

/** Returns the script of the sections and synonyms. It is no JSON, because a page that was opened as a file cannot fetch. */
export function searchScript(sections: readonly Section[]): string {
  return `globalThis.siteSearch = ${JSON.stringify({ sections, synonyms })};\n`;
}

/** Names of all assets. */
export const assetNames: readonly string[] = Object.keys(assets);

/** Reads the asset with this name; undefined if there is none. */
export function readAsset(site: Site, name: string): SiteAsset | undefined {
  const found = Object.hasOwn(assets, name) ? assets[name] : undefined;
  return found && { mediaType: found[0], body: found[1](site) };
}
