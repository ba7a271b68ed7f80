import { parse } from 'graphql';
import Negotiator from 'negotiator';
import { html } from '../../../../site/html.ts';
import { htmlPage } from '../../../../site/shell/htmlPage.ts';
import { dataOf } from '../../answer/dataOf.ts';
import type { RouteHandler } from '../../compileRoute.ts';
import type { Exchange } from '../../Exchange.ts';
import type { Gateway, Prepared } from '../../Gateway.ts';
import { Refusal } from '../../Refusal.ts';
import { htmlType, pageHeaders } from '../pageHeaders.ts';
import { sendDocument, toStoredDocument } from '../storedDocument.ts';
import { dealerPage } from './dealerPage.ts';
import { labels } from './labels.ts';
import { listingPage } from './listingPage.ts';
import { listingsPage } from './listingsPage.ts';
import {
  type Dealer,
  type Listing,
  type ListingCard,
  type OperationName,
  operations,
  type TextPage,
} from './operations.ts';
import { PageContext, storefrontStyles } from './PageContext.ts';
import { textPage } from './textPage.ts';

type PageName = 'storefront' | 'listingPage' | 'dealerPage' | 'textPage' | 'postPage' | 'conversationPage';

/** A page may also send its search. */
const headers = {
  ...pageHeaders,
  'Content-Security-Policy': String(pageHeaders['Content-Security-Policy']).replace(
    "form-action 'none'",
    "form-action 'self'",
  ),
  Vary: 'Accept-Language',
};
const cache = 'public, max-age=60';

/** Runs a public operation for a visitor. */
type Ask<Context> = (
  exchange: Exchange<Context>,
  name: OperationName,
  variables: Record<string, unknown>,
) => Promise<Record<string, unknown>>;

/**
 * Returns the pages that the `url` of a listing, dealer, page and post leads to. They show what a visitor may see,
 * because they run the public operations without a caller.
 *
 * @param options `lazy`: operations are prepared when they are first used
 */
export async function createStorefront<Context>(
  gateway: Gateway<Context>,
  { lazy }: { lazy: boolean },
): Promise<Record<PageName, RouteHandler<Context>>> {
  const ask = await prepareOperations(gateway, lazy);
  const render = (exchange: Exchange<Context>, body: (context: PageContext) => string): void => {
    const { request, context } = exchange;
    const language = new Negotiator(request).language(Object.keys(labels)) ?? 'en';
    const baseUrl = context === undefined ? '' : gateway.baseUrlOf(context);
    sendDocument(
      exchange,
      toStoredDocument(htmlType, body(new PageContext(language, baseUrl)), cache, headers),
    );
  };
  const text =
    (kind: TextPage['kind']): RouteHandler<Context> =>
    async (exchange, [slug = '']) => {
      const { page } = (await ask(exchange, 'storefrontText', { slug, ...reader(exchange) })) as {
        page: TextPage | null;
      };
      if (page?.kind !== kind) throw missing('page');
      render(exchange, (context) => textPage(context, page));
    };
  return {
    storefront: async (exchange) => {
      const query = new URLSearchParams(exchange.queryText);
      const q = query.get('q')?.trim() || null;
      const { catalogListings } = await ask(exchange, 'storefrontListings', { q, after: query.get('after') });
      const found = catalogListings as Parameters<typeof listingsPage>[1]['found'];
      render(exchange, (context) => listingsPage(context, { q, found }));
    },
    listingPage: async (exchange, [slug = '']) => {
      const data = await ask(exchange, 'storefrontListing', { slug, ...reader(exchange) });
      const listing = data.catalogListing as Listing | null;
      if (!listing) throw missing('listing');
      render(exchange, (context) => listingPage(context, listing));
    },
    dealerPage: async (exchange, [slug = '']) => {
      const { catalogDealer: named } = await ask(exchange, 'storefrontDealerId', { id: slug });
      if (!named) throw missing('dealer');
      const { id } = named as { id: string };
      const data = await ask(exchange, 'storefrontDealer', { slug: id, dealerIds: [id] });
      const dealer = data.catalogDealer as Dealer | null;
      if (!dealer) throw missing('dealer');
      const { nodes: listings } = data.catalogListings as { nodes: ListingCard[] };
      render(exchange, (context) => dealerPage(context, { dealer, listings }));
    },
    textPage: text('PAGE'),
    postPage: text('POST'),
    conversationPage: (exchange) => sendConversation(exchange),
  };
}

/** Prepares the operations, or each when it is first used. */
async function prepareOperations<Context>(gateway: Gateway<Context>, lazy: boolean): Promise<Ask<Context>> {
  const known = new Map<OperationName, Promise<Prepared<Context>>>();
  const prepare = (name: OperationName): Promise<Prepared<Context>> => {
    const prepared = known.get(name) ?? gateway.prepare(parse(operations[name], { noLocation: true }), name);
    known.set(name, prepared);
    return prepared;
  };
  if (!lazy) await Promise.all((Object.keys(operations) as OperationName[]).map(prepare));
  return async (exchange, name, variables) => {
    const operation = await prepare(name);
    const { request, response, requestId } = exchange;
    exchange.context ??= await gateway.openContext(request, {
      ignoreAuthorization: true,
      requestId,
      response,
    });
    await gateway.authorize(operation, exchange.context);
    return dataOf(await operation.execute(variables, exchange.context), false, undefined);
  };
}

/** Returns the reader's languages, for texts that were translated. */
function reader({ request }: Exchange): { accepted: string } {
  return { accepted: request.headers['accept-language']?.slice(0, 200) ?? '' };
}

function missing(what: string): Refusal {
  return new Refusal('not_found', `This ${what} does not exist or is not published.`);
}

const conversation = toStoredDocument(
  htmlType,
  htmlPage({
    title: 'Conversation',
    styles: storefrontStyles,
    scripts: [html`<script type="module" src="/docs/conversation.js"></script>`],
    attributes: html` class="wide storefront"`,
    content: html`<header><a class="name" href="/listings">Listings</a></header>
<main id="content" class="conversation"><h1>Conversation</h1>
<noscript><p>This page needs JavaScript.</p></noscript>
<p id="message" role="alert"></p>
<form id="sign-in"><p>Sign in to read the messages and to answer.</p>
<label>Email address <input name="username" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<label id="code" hidden>Code of your authenticator <input name="otp" inputmode="numeric" autocomplete="one-time-code"></label>
<button>Sign in</button></form>
<section id="thread" hidden><h2 id="subject"></h2><ol id="messages" aria-live="polite"></ol>
<form id="answer"><label for="text">Your answer</label><textarea id="text" name="text" rows="4" maxlength="4000" required></textarea>
<button>Send</button></form></section></main>`,
  }),
  'public, max-age=300',
  { ...pageHeaders },
);

/** Sends the page of a conversation. It is the same for every reader; its script loads the messages after a sign-in. */
function sendConversation(exchange: Exchange): void {
  sendDocument(exchange, conversation);
}
