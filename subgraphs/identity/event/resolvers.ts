import { outboxSource, relay } from '../../platform/events/relay.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { describeDealers } from '../dealer/describeDealers.ts';
import { DealerModel } from '../dealer/model.ts';
import { describeListings } from '../listing/describeListings.ts';
import { ListingModel } from '../listing/model.ts';
import { ListingImportModel } from '../listing-import/model.ts';
import { describeImports } from '../listing-import/tellProgress.ts';
import { describeMedia } from '../media/describeMedia.ts';
import { MediaModel } from '../media/model.ts';
import { describePages } from '../page/describePages.ts';
import { PageModel } from '../page/model.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { DepartureModel, type DepartureRecord } from './model.ts';

/** States of accounts; what is personal stays here. */
const describeUsers = async (users: readonly UserRecord[]) =>
  users.map(({ _id, version }) => ({
    object: { type: 'user' as const, id: _id },
    contentVersion: version,
    content: null,
  }));

const describeDepartures = async (departures: readonly DepartureRecord[]) =>
  departures.map(({ _id, objectType, version }) => ({
    object: { type: objectType, id: _id },
    contentVersion: version,
    content: null,
  }));

/** Everything that the subgraph tells others: a collection with an outbox is a line here. */
export const event: Resource = {
  models: [DepartureModel],
  jobs: [
    relay('identity', [
      outboxSource(ListingModel, describeListings),
      outboxSource(DealerModel, describeDealers),
      outboxSource(PageModel, describePages),
      outboxSource(MediaModel, describeMedia),
      outboxSource(DepartureModel, describeDepartures),
      outboxSource(UserModel, describeUsers),
      outboxSource(ListingImportModel, describeImports),
    ]),
  ],
};
