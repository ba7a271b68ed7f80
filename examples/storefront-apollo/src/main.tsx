import { ApolloProvider } from '@apollo/client/react';
import { type FormEvent, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { Car } from './Car.tsx';
import { client, session } from './client.ts';
import { Listings, Saved } from './Listings.tsx';

function onHash(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

function App() {
  const hash = useSyncExternalStore(onHash, () => location.hash);
  const isSignedIn = useSyncExternalStore(session.subscribe, session.isSignedIn);
  const carId = /^#\/cars\/(lst_\w+)$/.exec(hash)?.[1];
  return (
    <>
      <header>
        <a href="#/">Cars</a>
        <a href="#/saved">Saved</a>
        <span className="account">
          {isSignedIn ? (
            <button type="button" onClick={() => void session.signOut()}>
              Sign out
            </button>
          ) : (
            <a href="#/sign-in">Sign in</a>
          )}
        </span>
      </header>
      <main>
        {carId !== undefined ? (
          <Car key={carId} id={carId} isSignedIn={isSignedIn} />
        ) : hash === '#/sign-in' || (hash === '#/saved' && !isSignedIn) ? (
          <SignIn />
        ) : hash === '#/saved' ? (
          <Saved />
        ) : (
          <Listings />
        )}
      </main>
    </>
  );
}

function SignIn() {
  const [refusal, setRefusal] = useState('');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    try {
      await session.signIn(String(values.get('email')), String(values.get('password')));
      location.hash = '#/';
    } catch (error) {
      setRefusal((error as Error).message);
    }
  };
  return (
    <form onSubmit={submit}>
      <h1>Sign in</h1>
      <label>
        Email address <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button type="submit">Sign in</button>
      <p role="alert">{refusal}</p>
    </form>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <ApolloProvider client={client}>
    <App />
  </ApolloProvider>,
);
