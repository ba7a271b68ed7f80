import { randomBytes } from 'node:crypto';
import type { Configuration } from '../configuration/readConfiguration.ts';
import type { RoutedProduct } from '../product/openProduct.ts';
import { actAs } from './Caller.ts';
import { actAsOwner, findDealers, findInstallation } from './findDealers.ts';
import { createInstallations, installations, peopleOf, setPasswords } from './installations.ts';
import { printExamples } from './printExamples.ts';
import { seedApplicant } from './seedApplicant.ts';
import { seedListings } from './seedListings.ts';
import { isSeeded, markSeeded } from './seedMark.ts';
import { seedPages } from './seedPages.ts';
import { seedPayouts } from './seedPayouts.ts';
import { seedAnalyses, seedTranslations } from './seedTexts.ts';

/** Listings that get language versions, and those that get an analysis. */
const translated = 24;
const analysed = 24;

/**
 * Creates the demonstration data on the first start, and completes it after an interrupted one. Passwords are printed
 * once, when they are created.
 */
export async function seedDemonstration(
  product: RoutedProduct,
  configuration: Configuration,
  { url, progress }: { url: string; progress: (line: string) => void },
): Promise<void> {
  const { platform } = product;
  const port = Number(new URL(url).port);
  const complete = await isSeeded('stock');
  const { demonstrationPassword } = configuration;
  const password = demonstrationPassword ?? randomBytes(9).toString('base64url');
  await createInstallations(platform, { port, password });
  if (!complete || demonstrationPassword !== undefined) await setPasswords(platform, password);
  if (complete) {
    progress('demonstration: existing data is kept');
    printExamples({ url, password: demonstrationPassword }, progress);
    return;
  }
  const people = installations.flatMap((installation) => installation.people);
  const owned = people.filter(({ dealer }) => dealer !== undefined);
  progress(`demonstration: two installations, ${people.length} people, ${owned.length} dealers`);
  for (const { name } of installations) await seedPayoutAccounts(product, name);
  await seedStock(product, progress);
  await markSeeded('stock', new Date(platform.now()));
  printExamples({ url, password }, progress);
}

async function seedPayoutAccounts(product: RoutedProduct, name: string): Promise<void> {
  if (product.platform.payments.provider !== 'sandbox') return;
  const installation = findInstallation(product, name);
  for (const { email, dealer } of peopleOf(name)) {
    if (!dealer) continue;
    const { dealerId, caller } = await actAsOwner(product, { installation, email });
    await seedPayouts(caller, dealerId);
  }
}

async function seedStock(product: RoutedProduct, progress: (line: string) => void): Promise<void> {
  const installation = findInstallation(product, 'demo');
  const { platform } = product;
  for (const { email, isApplicant } of peopleOf('demo')) {
    if (!isApplicant) continue;
    const applicant = await actAs(product, { installation, email });
    await seedApplicant(applicant, { platform, installationId: installation.id, email });
    progress('demonstration: one dealer has submitted its verification');
  }
  const dealers = await findDealers(product);
  const total = dealers.reduce((sum, { cars }) => sum + cars.length, 0);
  const listings = await seedListings(dealers, product, (done) =>
    progress(`demonstration: ${done} of ${total} cars listed`),
  );
  const editor = await actAs(product, { installation, email: 'editor@demo.example' });
  progress(`demonstration: ${await seedPages(editor)} pages in English and German`);
  await seedTranslations(editor, listings.slice(0, translated));
  progress(`demonstration: ${translated} cars in German and French`);
  await seedAnalyses(listings.slice(0, analysed));
  progress(`demonstration: ${analysed} cars analysed`);
}
