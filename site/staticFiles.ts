import type { Site } from './Site.ts';
import { assetNames, readAsset, searchScript } from './siteAssets.ts';
import { usagePage } from './usage/usagePage.ts';

/** A file of the site: its path below the folder, and what it holds. */
export interface StaticFile {
  readonly file: string;
  readonly body: string | Buffer;
}

/** OpenAPI documents: of all interfaces, and of each. */
export type Contracts = Readonly<Record<'all' | 'a' | 'b' | 'c', object>>;

/** Parts of the running product that static pages link to. */
export interface StaticOptions {
  readonly contracts: Contracts;
  /** Base URL of a running product without a trailing slash; if omitted, links to it are removed. */
  readonly product?: string;
}

/**
 * Returns the documentation as static files for any server, or none: all links are relative, so the folder can be
 * anywhere.
 */
export function staticFiles(site: Site, { contracts, product }: StaticOptions): StaticFile[] {
  // The page of usage only works on the product.
  const paths = site.paths.filter((path) => path !== usagePage.path);
  const pages = new Map(paths.map((path) => [path, fileOf(path)]));
  const files: StaticFile[] = [];
  for (const [path, file] of pages) {
    const root = '../'.repeat(file.split('/').length - 1);
    const html = site.render(path) ?? '';
    files.push({ file, body: relink(html, root, pages, product) });
  }
  for (const name of assetNames) {
    const body = readAsset(site, name)?.body ?? '';
    files.push({ file: `docs/${name}`, body: name === 'search.js' ? searchOf(site, pages) : body });
  }
  return [...files, ...contractFiles(contracts)];
}

/**
 * Returns the contract files: JSON for programs, and scripts for the explorer, because a page that is opened as a file
 * cannot fetch another one.
 */
function contractFiles(contracts: Contracts): StaticFile[] {
  return Object.entries(contracts).flatMap(([name, contract]) => {
    const text = JSON.stringify(contract);
    const file = name === 'all' ? 'api/v1/openapi.json' : `docs/openapi/${name}`;
    return [
      { file, body: text },
      { file: `docs/contract-${name}.js`, body: `globalThis.siteContract = ${text};\n` },
    ];
  });
}

/** Returns the policy of the product's own pages, for hosts that set no headers. */
function policy(product: string | undefined): string {
  const connect = product === undefined ? "'none'" : new URL(product).origin;
  const rules = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<meta http-equiv="Content-Security-Policy" content="${rules.join('; ')}">`;
}

/** Returns the file of a path; `/docs` is the index, and other paths are files of their name. */
function fileOf(path: string): string {
  if (path === '/docs') return 'index.html';
  return path === '/problems' ? 'problems/index.html' : `${path.slice(1)}.html`;
}

/** Changes links to pages of the running product: they lead to `product`, or are removed. */
function relink(
  html: string,
  root: string,
  pages: ReadonlyMap<string, string>,
  product: string | undefined,
): string {
  const place = (address: string): string | undefined => {
    const [, path = '', rest = ''] = /^([^?#]*)(.*)$/.exec(address) ?? [];
    const page = pages.get(path);
    if (page !== undefined) return `${root}${page}${rest}`;
    if (assetNames.includes(path.slice('/docs/'.length))) return `${root}${path.slice(1)}`;
    return product === undefined ? undefined : `${product}${address}`;
  };
  const isAlone = product === undefined ? ' data-alone' : '';
  return html
    .replace('<meta charset="utf-8">', `<meta charset="utf-8">\n${policy(product)}`)
    .replace('<html lang="en">', `<html lang="en" data-root="${root === '' ? './' : root}"${isAlone}>`)
    .replace(
      /<a ([^>]*)href="(\/[^"]*)"([^>]*)>([\s\S]*?)<\/a>/g,
      (_whole, before, address, after, words) => {
        const to = place(address);
        return to === undefined
          ? `<span ${before}>${words}</span>`
          : `<a ${before}href="${to}"${after}>${words}</a>`;
      },
    )
    .replace(
      /<(link|script)([^>]*) (href|src)="(\/[^"]*)"/g,
      (_whole, tag, before, name, address) => `<${tag}${before} ${name}="${place(address)}"`,
    );
}

/** Returns the search with the addresses of the static pages. */
function searchOf(site: Site, pages: ReadonlyMap<string, string>): string {
  const sections = site.sections().flatMap((section) => {
    const [path = '', id] = section.path.split('#');
    const file = pages.get(`/${path}`);
    return file === undefined ? [] : [{ ...section, path: id === undefined ? file : `${file}#${id}` }];
  });
  return searchScript(sections);
}
