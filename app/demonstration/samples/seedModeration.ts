import type { Caller } from '../Caller.ts';
import { seedOperation } from '../seedOperation.ts';
import { listingOf, type SampleContext } from './SampleContext.ts';

const createReport = seedOperation(`mutation createReport($input: CreateReportInput!) {
  createReport(input: $input) { report { id } } }`);
const readReports = seedOperation('query myReports { myReports { nodes { id state } } }');
const reviewReport = seedOperation(`mutation reviewReport($input: ReviewReportInput!) {
  reviewReport(input: $input) { report { id } } }`);
const resolveReport = seedOperation(`mutation resolveReport($input: ResolveReportInput!) {
  resolveReport(input: $input) { report { id } } }`);
const createListing = seedOperation(`mutation createListing($input: CreateListingInput!) {
  createListing(input: $input) { listing { id revision } } }`);
const readListing = seedOperation(`query listing($id: ID!) { listing(listingId: $id) { state } }`);
const publishListing = seedOperation(`mutation publishListing($input: PublishListingInput!) {
  publishListing(input: $input) { listing { id } } }`);
const rejectListing = seedOperation(`mutation rejectListing($input: RejectListingInput!) {
  rejectListing(input: $input) { listing { id } } }`);
const updateListing = seedOperation(`mutation updateListing($input: UpdateListingInput!) {
  updateListing(input: $input) { listing { id } } }`);
const readCategories = seedOperation('query catalogCategories { catalogCategories { items { id slug } } }');

interface Report {
  readonly by: 'buyer' | 'newcomer' | 'translator';
  readonly stockNumber: string;
  readonly reason: string;
  readonly text: string;
  /** What the moderator has done with it; nothing by default. */
  readonly handled?: 'reviewed' | 'dismissed';
}

const reports: readonly Report[] = [
  {
    by: 'buyer',
    stockNumber: 'CAR-0306',
    reason: 'FRAUD',
    text: 'The same car is offered on another site for half the price, with other photos.',
  },
  {
    by: 'newcomer',
    stockNumber: 'CAR-0306',
    reason: 'OTHER',
    text: 'The mileage does not match the wear of the seats.',
  },
  {
    by: 'buyer',
    stockNumber: 'CAR-0032',
    reason: 'MISCATEGORISED',
    text: 'This pickup belongs to the commercial vehicles.',
    handled: 'reviewed',
  },
  {
    by: 'translator',
    stockNumber: 'CAR-0200',
    reason: 'SPAM',
    text: 'The dealer repeats its slogan in every listing.',
    handled: 'dismissed',
  },
];

/** Creates reports in three states, and private listings of which one was rejected and corrected. */
export async function seedModeration(context: SampleContext): Promise<void> {
  for (const report of reports) await seedReport(context, report);
  await seedPrivateListings(context);
}

async function seedReport(
  context: SampleContext,
  { by, stockNumber, reason, text, handled }: Report,
): Promise<void> {
  const { moderator } = context.as;
  const target = { type: 'LISTING', id: listingOf(context, stockNumber).id };
  const idempotencyKey = `demonstration-report-${stockNumber}`;
  const reporter = context.as[by];
  const { createReport: created } = await reporter.call<{ createReport: { report: { id: string } } }>(
    createReport,
    { input: { target, reason, text, idempotencyKey } },
  );
  const reportId = created.report.id;
  if (handled === 'reviewed' && (await stateOfReport(reporter, reportId)) === 'OPEN')
    await moderator.call(reviewReport, { input: { reportId } });
  if (handled === 'dismissed')
    await moderator.call(resolveReport, {
      input: {
        reportId,
        outcome: 'DISMISSED',
        answer: 'Repeated slogans are allowed in the description.',
        idempotencyKey: `demonstration-resolution-${stockNumber}`,
      },
    });
}

/** An earlier start that was interrupted may have handled the report, and a repeated request shows its first state. */
async function stateOfReport(reporter: Caller, reportId: string): Promise<string | undefined> {
  const { myReports } = await reporter.call<{ myReports: { nodes: { id: string; state: string }[] } }>(
    readReports,
  );
  return myReports.nodes.find(({ id }) => id === reportId)?.state;
}

const attributes = { fuel: 'petrol', transmission: 'manual', bodyType: 'estate', exteriorColor: 'blue' };

const keptListing = {
  title: 'Volkswagen Passat Variant from first hand',
  description: 'Bought new by my father in 1981. Garage kept, all invoices are there.',
  price: { amount: 640_000, currency: 'EUR' },
  priceType: 'NEGOTIABLE',
  attributes: {
    ...attributes,
    make: 'volkswagen',
    model: 'passat',
    firstRegistration: '1981-05',
    mileageKm: 88_000,
  },
};

const correctedListing = {
  title: 'Best Opel Rekord of all time, cheapest in town',
  description: 'Call now. Only today.',
  price: { amount: 100, currency: 'EUR' },
  attributes: {
    ...attributes,
    make: 'opel',
    model: 'rekord',
    firstRegistration: '1978-03',
    mileageKm: 121_000,
  },
};

/** The newcomer sells privately: one listing stands, another was rejected and waits after its correction. */
async function seedPrivateListings({ as: { newcomer, moderator } }: SampleContext): Promise<void> {
  const { catalogCategories } = await newcomer.call<{
    catalogCategories: { items: { id: string; slug: string }[] };
  }>(readCategories);
  const categoryId = catalogCategories.items.find(({ slug }) => slug === 'cars')?.id;
  const location = { postalCode: '12099', city: 'Berlin', country: 'DE' };
  const common = { categoryId, language: 'en', condition: 'USED', location };
  const create = async (stock: string, input: object): Promise<{ id: string; revision: number }> => {
    const made = await newcomer.call<{ createListing: { listing: { id: string; revision: number } } }>(
      createListing,
      { input: { ...common, ...input, idempotencyKey: `demonstration-private-${stock}` } },
    );
    return made.createListing.listing;
  };
  const stateOf = async (id: string): Promise<string> =>
    (await newcomer.call<{ listing: { state: string } }>(readListing, { id })).listing.state;
  const publish = (listingId: string) => newcomer.call(publishListing, { input: { listingId } });

  const kept = await create('kept', keptListing);
  if ((await stateOf(kept.id)) === 'DRAFT') await publish(kept.id);

  const corrected = await create('corrected', correctedListing);
  if ((await stateOf(corrected.id)) !== 'DRAFT') return;
  await publish(corrected.id);
  await moderator.call(rejectListing, {
    input: {
      listingId: corrected.id,
      revision: corrected.revision,
      reasonCodes: ['MISLEADING'],
      statement: 'The price is not the price of the car, and the title compares it with others.',
    },
  });
  await newcomer.call(updateListing, {
    input: {
      listingId: corrected.id,
      title: 'Opel Rekord Caravan, 1978',
      description: 'Runs well, some rust at the rear arches. Inspection valid for a year.',
      price: { amount: 390_000, currency: 'EUR' },
    },
  });
  await publish(corrected.id);
}
