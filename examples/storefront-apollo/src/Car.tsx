import { useMutation, useQuery } from '@apollo/client/react';
import { Conversation } from './Conversation.tsx';
import { money, Picture } from './Listings.tsx';
import { CAR, SAVE, SAVED, UNSAVE } from './operations.ts';

/** The page of a car, with the conversation about it for a user who is signed in. */
export function Car({ id, isSignedIn }: { id: string; isSignedIn: boolean }) {
  const { data, error } = useQuery(CAR, { variables: { id } });
  if (error) return <p role="alert">{error.message}</p>;
  if (!data) return <p>Loading …</p>;
  const car = data.catalogListing;
  if (!car) return <p role="alert">This car is no longer offered.</p>;
  return (
    <div className="layout detail">
      <section>
        {car.images.map((image) => (
          <Picture key={image.renditions[0]?.url} image={image} />
        ))}
        <p style={{ whiteSpace: 'pre-line' }}>{car.description}</p>
      </section>
      <section>
        <h1>{car.title}</h1>
        <p className="price">{money(car.price)}</p>
        {isSignedIn && <SaveButton id={id} />}
        <ul>
          {Object.entries(car.attributes).map(([name, value]) => (
            <li key={name}>
              {name}: {String(value)}
            </li>
          ))}
        </ul>
        <h2>{car.seller.name}</h2>
        {isSignedIn ? (
          <Conversation listingId={id} />
        ) : (
          <p>
            <a href="#/sign-in">Sign in</a> to save the car and to ask the seller.
          </p>
        )}
      </section>
    </div>
  );
}

function SaveButton({ id }: { id: string }) {
  const { data } = useQuery(SAVED);
  const options = { variables: { id }, refetchQueries: [SAVED], awaitRefetchQueries: true };
  const [save, { loading: saving }] = useMutation(SAVE, options);
  const [unsave, { loading: removing }] = useMutation(UNSAVE, options);
  const isSaved = data?.myFavorites.nodes.some(({ listingId }) => listingId === id) ?? false;
  return (
    <button
      type="button"
      aria-pressed={isSaved}
      disabled={!data || saving || removing}
      onClick={() => void (isSaved ? unsave() : save())}
    >
      {isSaved ? 'Saved' : 'Save'}
    </button>
  );
}
