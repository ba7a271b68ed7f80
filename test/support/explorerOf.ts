import type { Page } from 'playwright-core';
import { pagesOf } from './pagesOf.ts';
import type { Product } from './product.ts';

/** Password of the users that sign in on the explorer. */
export const explorerPassword = 'plum-tractor-9-violin';

/** The GraphQL explorer of the file's installation in a browser. */
export function explorerOf(world: Product) {
  const { origin, visit } = pagesOf(world);
  return {
    origin,
    visitExamples: () => visit('/graphiql'),
    /** Opens the explorer with an operation. `ask` executes it and returns the text of the response. */
    async visit(query: string) {
      const { page, close } = await visit(`/graphiql?query=${encodeURIComponent(query)}`);
      const ask = async (): Promise<string> => {
        // Besides, the explorer asks for the schema.
        const answered = page.waitForResponse(
          (response) => response.request().postDataJSON()?.query === query,
        );
        await page.getByRole('button', { name: /execute query/i }).click();
        return (await answered).text();
      };
      return { page, close, ask };
    },
    /** Signs in with the form of the explorer; `code` for an operator. */
    async signIn(page: Page, email: string, code?: string): Promise<void> {
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill(explorerPassword);
      if (code !== undefined) await page.getByLabel('Code').fill(code);
      await page.keyboard.press('Enter');
      await page.getByText(`You are signed in as ${email}.`).waitFor();
    },
  };
}
