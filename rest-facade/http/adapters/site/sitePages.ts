import Negotiator from 'negotiator';
import { type ErrorCode, errorCodes, isErrorCode, titleOf } from '../../../../schema/errorCodes.ts';
import { errorMeanings } from '../../../../schema/errorMeanings.ts';
import type { RouteBinding } from '../../../../schema/route/RouteBinding.ts';
import { readAudit } from '../../../../site/audit/auditPage.ts';
import { Site } from '../../../../site/Site.ts';
import { readAsset } from '../../../../site/siteAssets.ts';
import type { Exchange } from '../../Exchange.ts';
import { Refusal } from '../../Refusal.ts';
import { htmlType, pageHeaders } from '../pageHeaders.ts';
import { type StoredDocument, sendDocument, toStoredDocument } from '../storedDocument.ts';

const cache = 'public, max-age=300';
const nosniff = { 'X-Content-Type-Options': 'nosniff' };

/** The documentation as the facade serves it. */
interface SitePages {
  /** Serves `/docs` and everything below it: pages, and the files that they load. */
  docs(exchange: Exchange): void;
  /** Serves `/problems` and `/problems/{code}` as HTML or JSON. */
  problem(exchange: Exchange, code?: string): void;
  /** Serves `/audit` as HTML or JSON. */
  audit(exchange: Exchange): void;
}

/** Creates the pages. They are rendered at the first request and cached, because most processes serve none. */
export function createSitePages(bindings: readonly RouteBinding[], restRoot: string): SitePages {
  let site: Site | undefined;
  const kept = new Map<string, StoredDocument>();
  const find = (key: string, make: (site: Site) => StoredDocument | undefined): StoredDocument => {
    let document = kept.get(key);
    if (!document) {
      site ??= new Site(bindings, restRoot);
      document = make(site);
      if (!document) throw new Refusal('not_found', 'This page of the documentation does not exist.');
      kept.set(key, document);
    }
    return document;
  };
  const page = (path: string, varies = false) =>
    find(path, (made) => {
      const text = made.render(path);
      const headers = varies ? { ...pageHeaders, Vary: 'Accept' } : { ...pageHeaders };
      return text === undefined ? undefined : toStoredDocument(htmlType, text, cache, headers);
    });
  const json = (path: string, value: () => unknown) =>
    find(`${path} as JSON`, () =>
      toStoredDocument('application/json', JSON.stringify(value()), cache, { Vary: 'Accept' }),
    );
  return {
    docs(exchange) {
      const { path } = exchange;
      if (!path.includes('.')) return sendDocument(exchange, page(path));
      const asset = find(path, (made) => {
        const found = readAsset(made, path.slice('/docs/'.length));
        return found && toStoredDocument(found.mediaType, found.body, cache, { ...nosniff });
      });
      sendDocument(exchange, asset);
    },
    problem(exchange, code) {
      if (code !== undefined && !isErrorCode(code))
        throw new Refusal('not_found', 'This problem code does not exist.');
      const path = code === undefined ? '/problems' : `/problems/${code}`;
      const value = () => (code === undefined ? { data: codes.map(describe) } : describe(code));
      sendDocument(exchange, wantsJson(exchange) ? json(path, value) : page(path, true));
    },
    audit(exchange) {
      const value = () => readAudit(restRoot);
      sendDocument(exchange, wantsJson(exchange) ? json('/audit', value) : page('/audit', true));
    },
  };
}

const codes = Object.keys(errorCodes) as ErrorCode[];

function describe(code: ErrorCode) {
  return { code, title: titleOf(code), status: errorCodes[code], meaning: errorMeanings[code] };
}

/** Returns whether the client prefers JSON; HTML is the default, because users follow these links. */
function wantsJson({ request }: Exchange): boolean {
  return new Negotiator(request).mediaType(['text/html', 'application/json']) === 'application/json';
}
