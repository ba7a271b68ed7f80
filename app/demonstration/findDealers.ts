import { DealerModel } from '../../subgraphs/identity/people/dealer/model.ts';
import type { Installation } from '../../subgraphs/platform/installation/Installation.ts';
import { reads } from '../../subgraphs/platform/installation/scoped.ts';
import type { RoutedProduct } from '../product/openProduct.ts';
import { actAs, type Caller, type Identity } from './Caller.ts';
import { readCarListings } from './carListings.ts';
import { installationId, peopleOf } from './installations.ts';
import type { StockedDealer } from './seedListings.ts';

/** Returns a demonstration installation, as `demo`. */
export function findInstallation({ platform }: Pick<RoutedProduct, 'platform'>, name: string): Installation {
  const installation = platform.installations.findById(installationId(name));
  if (!installation) throw new Error(`The demonstration has no installation "${name}".`);
  return installation;
}

/** Opens a session of the owner of a dealer. */
export async function actAsOwner(
  product: RoutedProduct,
  identity: Identity,
): Promise<{ caller: Caller; dealerId: string }> {
  const dealer = await reads(DealerModel, identity.installation.id).findOne({
    contactEmail: identity.email,
    state: 'active',
  });
  if (!dealer) throw new Error(`The demonstration has no dealer of ${identity.email}.`);
  return { caller: await actAs(product, identity), dealerId: dealer._id };
}

/** Returns the dealers that sell cars, each with its part of the data set and a session of its owner. */
export async function findDealers(product: RoutedProduct): Promise<StockedDealer[]> {
  const installation = findInstallation(product, 'demo');
  const cars = readCarListings();
  const found: StockedDealer[] = [];
  for (const { email, dealer } of peopleOf('demo')) {
    if (!dealer?.stock) continue;
    const { origin, ...stock } = dealer.stock;
    const { caller, dealerId } = await actAsOwner(product, { installation, email });
    const { tradeName } = dealer.profile;
    found.push({ caller, dealerId, tradeName, ...stock, cars: cars.filter((car) => car.origin === origin) });
  }
  return found;
}
