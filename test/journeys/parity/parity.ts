import { type Answer, BothStyles, type Call } from './BothStyles.ts';
import { analyses, join, translations } from './contentSteps.ts';
import { differenceOf } from './differenceOf.ts';
import type { Finding, Journey } from './Journey.ts';
import { accounts, offers, refusals } from './marketplaceSteps.ts';

/**
 * Runs every operation of the slices in both styles against a running product with demonstration data.
 *
 * @param graphqlUrl address of another GraphQL engine. Default: the product
 */
export async function compareStyles(
  url: string,
  password: string,
  graphqlUrl: string = url,
): Promise<Finding[]> {
  const styles = new BothStyles(url, undefined, graphqlUrl);
  const findings: Finding[] = [];
  const note = (what: string, rest: Answer, graphql: Answer, paired: boolean): void => {
    findings.push({ what, difference: differenceOf(rest, graphql, paired) });
  };
  /** The same read in both styles. All members must be equal. */
  const same = async (what: string, call: Call): Promise<any> => {
    const rest = await styles.rest(call);
    note(what, rest, await styles.graphql(call), false);
    return rest.body;
  };
  /** The same write in both styles, on two records. All members must be equal, except those that identify a record. */
  const paired: Journey['paired'] = async (what, [first, second], toCall) => {
    const rest = await styles.rest(toCall(first));
    const graphql = await styles.graphql(toCall(second));
    note(what, rest, graphql, true);
    return [rest.body, graphql.body];
  };
  const journey: Journey = { styles, same, paired, password, unique: Date.now().toString(36) };
  const tokens = await accounts(journey);
  const listings = await offers(journey, tokens.dealer);
  await analyses(journey, tokens.dealer, listings);
  await translations(journey, tokens.editor, listings);
  await refusals(journey, tokens, listings);
  await join(journey, tokens.dealer, listings, (finding) => findings.push(finding));
  return findings;
}
