import { phraseList, wordSet } from '../LanguageData.ts';
import { periphrasticPassive } from '../periphrasticPassive.ts';
import type { Grammar } from './Grammar.ts';

const auxiliaries = wordSet(`
  ser soc ets és som sou són era eres érem éreu eren fui fou fórem foren seré seràs serà serem sereu seran seria series
  seríem serien sigui siguis siguem siguin fos fossis fóssim fossin estat sigut essent sent`);
const between = wordSet(
  'no ja també sempre mai encara bé mal així després ara avui ahir gairebé només sols recentment',
);
const regular = /^[a-zàèéíïòóúüç·]{2,24}(?:at|ada|ats|ades|it|ida|its|ides|ït|ïda|ïts|ïdes|ut|uda|uts|udes)$/;
const irregular =
  /^(?:fet|feta|fets|fetes|dit|dita|dits|dites|escrit|escrita|escrits|escrites|obert|oberta|oberts|obertes|cobert|coberta|coberts|cobertes|vist|vista|vists|vistes|pres|presa|presos|preses|imprès|impresa|impresos|impreses|resolt|resolta|resolts|resoltes|trencat|admès|admesa|admesos|ofert|oferta|oferts|ofertes|descrit|descrita|descrits|descrites|inclòs|inclosa|inclosos|incloses|venut|venuda)$/;
const notParticiples = wordSet(`
  ciutat ciutats veritat veritats qualitat qualitats unitat unitats meitat meitats edat edats mercat mercats soldat
  estat estats sigut costat costats grat resultat resultats privat privada privats privades barat barata adequat
  adequada adequats adequades complicat complicada complicats complicades delicat delicada delicats delicades elevat
  elevada elevats elevades cansat cansada cansats cansades educat educada variat variada vegada vegades entrada
  entrades temporada temporades jornada mirada petit petita petits petites favorit favorita favorits favorites infinit
  infinita exquisit exquisida gratuït gratuïta gratuïts nit nits vida vides mida mides sortida sortides partida
  divertit divertida avorrit avorrida híbrid salut virtut minut minuts institut absolut absoluta brut bruta agut aguda
  menut menuda conegut coneguda coneguts conegudes semblant actitud ajuda ajudes dificultat possibilitat seguretat
  velocitat publicitat facilitat activitat capacitat potencialitat responsabilitat sorprenent dret dreta crit delit`);

export const catalan: Grammar = {
  transitions: {
    words: wordSet(`
      també però sinó perquè doncs així tanmateix després finalment llavors aleshores abans mentre quan encara
      primerament segonament tercerament posteriorment anteriorment consegüentment conseqüentment contràriament
      igualment inclús nogensmenys malgrat excepte especialment concretament principalment generalment
      efectivament evidentment certament bàsicament breument resumint alhora ans altrament puix`),
    phrases: phraseList(`
      per exemple|és a dir|en canvi|no obstant això|no obstant|a més|a més a més|d'una banda|d'altra banda|per una banda|
      per altra banda|per una part|per altra part|en primer lloc|en segon lloc|en tercer lloc|per tant|per això|
      per aquesta raó|per aquest motiu|a causa de|gràcies a|ja que|atès que|donat que|tot i que|tot i així|encara que|
      malgrat que|a pesar de|mentre que|sempre que|en resum|en conclusió|en definitiva|en general|en particular|
      sobretot|sobre tot|de fet|en efecte|en realitat|al contrari|per contra|de la mateixa manera|així doncs|així mateix|
      d'aquesta manera|a continuació|al final|al principi|per acabar|per començar|per últim|en comparació|en lloc de|
      a diferència de|pel que fa a|amb tot|al mateix temps|com a resultat|com a conseqüència|dit d'una altra manera|
      en altres paraules|si més no|per descomptat|sens dubte|tan bon punt|fins ara|des de llavors`),
    pairs: [
      ['ni', 'ni'],
      ['tant', 'com'],
      ['o', 'o'],
      ['no', 'sinó'],
      ['ara', 'ara'],
    ],
  },
  findPassives: periphrasticPassive({
    isAuxiliary: (form) => auxiliaries.has(form),
    isParticiple: (form) => !notParticiples.has(form) && (irregular.test(form) || regular.test(form)),
    mayStandBetween: (form) => between.has(form) || (form.endsWith('ment') && form.length > 6),
    degreeWords: wordSet('molt tan més menys bastant massa el la els les un una uns unes'),
    window: 3,
  }),
};
