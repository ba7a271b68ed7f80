import { missingPage } from '../../../../site/missingPage.ts';
import { type Exchange, send } from '../../Exchange.ts';
import { htmlType, pageHeaders } from '../pageHeaders.ts';

let page: string | undefined;

/** Sends the HTML page for an address without a page, with status 404. */
export function sendMissingPage(exchange: Exchange): void {
  page ??= missingPage();
  send(
    exchange,
    404,
    { ...pageHeaders, 'Content-Type': htmlType, 'Cache-Control': 'no-store', Vary: 'Accept' },
    page,
  );
}
