import { randomBytes } from 'node:crypto';
import { DealerModel } from '../../subgraphs/identity/people/dealer/model.ts';
import { reads } from '../../subgraphs/platform/installation/scoped.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import type { RoutedProduct } from '../product/openProduct.ts';
import { signIn } from './Caller.ts';
import { createInstallations, installationId, installations, setPasswords } from './installations.ts';
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
  const complete = await isSeeded();
  const { demonstrationPassword } = configuration;
  const password = demonstrationPassword ?? randomBytes(9).toString('base64url');
  await createInstallations(platform, { port, password });
  if (!complete || demonstrationPassword !== undefined) await setPasswords(platform, password);
  if (complete) {
    progress('demonstration: existing data is kept');
    printExamples({ url, password: demonstrationPassword }, progress);
    return;
  }
  progress('demonstration: two installations, eight people, two dealers');
  await seedStock(product, password, progress);
  await markSeeded(new Date(platform.now()));
  printExamples({ url, password }, progress);
}

async function seedStock(
  product: RoutedProduct,
  password: string,
  progress: (line: string) => void,
): Promise<void> {
  for (const { name, people } of installations) {
    const installation = product.platform.installations.findById(installationId(name));
    const owner = people.find(({ dealer }) => dealer !== undefined);
    if (!installation || !owner) throw new Error(`The demonstration has no installation "${name}".`);
    const dealer = await signIn(product, installation, { username: owner.email, password });
    const dealerId = await findDealer(installation.id);
    if (product.platform.payments.provider === 'sandbox') await seedPayouts(dealer, dealerId);
    if (name !== 'demo') continue;
    for (const { email } of people.filter(({ isApplicant }) => isApplicant)) {
      const applicant = await signIn(product, installation, { username: email, password });
      await seedApplicant(applicant, {
        platform: product.platform,
        installationId: installation.id,
        email,
      });
      progress('demonstration: one dealer has submitted its verification');
    }
    const listings = await seedListings(dealer, { dealerId, product }, (done, total) =>
      progress(`demonstration: ${done} of ${total} cars listed`),
    );
    const editor = await signIn(product, installation, { username: 'editor@demo.example', password });
    progress(`demonstration: ${await seedPages(editor)} pages in English and German`);
    await seedTranslations(editor, listings.slice(0, translated));
    progress(`demonstration: ${translated} cars in German and French`);
    await seedAnalyses(dealer, listings.slice(0, analysed));
    progress(`demonstration: ${analysed} cars analysed`);
  }
}

/** Returns the dealer that sells. */
async function findDealer(installation: string): Promise<string> {
  const dealer = await reads(DealerModel, installation).findOne({ state: 'active' }, { sort: { _id: 1 } });
  if (!dealer) throw new Error('The demonstration has no dealer.');
  return dealer._id;
}
