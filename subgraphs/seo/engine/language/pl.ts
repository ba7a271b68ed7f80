import { type LanguageData, phraseList, phraseSet, wordSet } from './LanguageData.ts';
import { periphrasticPassive } from './periphrasticPassive.ts';

const functionWords = wordSet(`
  ja ty on ona ono my wy oni one mnie mną mi ciebie cię tobie tobą ci jego go jemu mu niego niemu nim ją jej nią niej
  je nie nas nam nami was wam wami ich im nich nimi siebie się sobie sobą mój moja moje moi mojego mojej moich moim
  moimi twój twoja twoje twoi twojego twojej twoich nasz nasza nasze nasi naszego naszej naszych naszym naszymi wasz
  wasza wasze waszego waszej waszych swój swoja swoje swoi swojego swojej swoich swoim swoimi ten ta to ci te tego tej
  tych temu tym tymi tę tą tamten tamta tamto tamte tamtego tamtej taki taka takie tacy takiego takiej takich takim
  który która które którzy którego której których któremu którym którymi którą kto kogo komu kim co czego czemu czym
  czyj jaki jaka jakie jakiego jakiej jakich jakim ktoś kogoś coś czegoś jakiś jakaś jakieś każdy każda każde każdego
  każdej wszyscy wszystko wszystkie wszystkich wszystkim wszystkimi cały sam sama samo sami same inny inna inne innego
  innej innych innym innymi żaden żadna żadne żadnego żadnej nikt nic nikogo niczego kilka kilku wiele wielu mało dużo
  w we na z ze do od ode o u po za przed przede nad pod przy przez bez dla między wśród około obok koło wobec podczas
  według oprócz poza mimo zamiast dzięki wbrew przeciw wzdłuż dookoła ponad spod znad zza
  i a oraz ani ale lecz czy albo lub bądź że żeby aby by jeśli jeżeli gdy gdyby kiedy jak jako niż bo ponieważ więc
  zatem choć chociaż skoro póki dopóki aż natomiast jednak także też również tylko nawet jeszcze już zawsze nigdy
  czasem często bardzo bardziej najbardziej mniej więcej najwięcej tak tu tutaj tam gdzie skąd dokąd dlaczego teraz
  potem wtedy zaś niech no właśnie prawie dość zbyt ile tyle
  być jestem jesteś jest jesteśmy jesteście są był była było byli były byłem byłam będzie będą będę będziemy bycie mieć
  mam masz ma mamy macie mają miał miała miało mieli miały może mogą mogę możesz możemy można móc trzeba należy
  powinien powinna powinno powinni powinny zostać został została zostało zostali zostały zostanie zostaną
  jeden jedna jedno dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć pierwszy pierwsza drugi druga`);

const transitionWords = wordSet(`
  albowiem aczkolwiek aby ale alternatywnie analogicznie ani aż ażeby bo bowiem choć chociaż chyba czyli dlatego dlaczego
  dodatkowo dopiero dopóki dotychczas dziś faktycznie finalnie gdy gdyby gdyż głównie jakkolwiek jednak jednakże
  jednocześnie jednym jeśli jeżeli kiedy kiedykolwiek kolejno konkludując konkretnie lecz mianowicie mimo
  najpierw następnie natomiast naturalnie niestety niewątpliwie niemniej niezależnie obecnie oczywiście odkąd
  odtąd ogólnie ostatecznie ostatnio oprócz podczas podobnie podsumowując pomimo ponadto ponieważ poprzednio
  potem później początkowo przeciwnie przede przykładowo reasumując również równocześnie skoro skutkiem stąd
  szczególnie także tymczasem też toteż tudzież tylko tym uprzednio wcześniej według wkrótce wobec wprawdzie wreszcie
  wskutek wówczas wszakże wszelako właściwie właśnie wtedy więc wyjątkowo zamiast zanim zarazem zaraz zaś zasadniczo zatem
  zazwyczaj zdecydowanie zwłaszcza zwykle żeby natychmiast istotnie zgodnie zważywszy dzięki`);
const transitionPhrases = phraseList(`
  a jednak|a mianowicie|a więc|a zatem|aby to zrobić|analogicznie do|biorąc pod uwagę|bez wątpienia|być może|
  chcąc nie chcąc|co do|co gorsza|co najmniej|co prawda|co więcej|dla przykładu|dlatego że|do czasu|do momentu|
  do tej pory|dopóki nie|i tak dalej|inaczej mówiąc|innymi słowy|innym razem|jak dotąd|jak już wspomniano|
  jak również|jak wiadomo|jak widać|jako że|jak na przykład|jednym słowem|jeśli chodzi o|krótko mówiąc|
  ma się rozumieć|między innymi|mimo że|mimo to|mimo tego|mimo wszystko|na dodatek|na koniec|na końcu|na ogół|
  na podstawie|na początek|na początku|na pierwszy rzut oka|na przykład|na skutek|na szczęście|na wypadek|
  na zakończenie|nic dziwnego|nie licząc|nie mówiąc o|nie tylko|niemniej jednak|o ile|od czasu do czasu|
  od tej pory|od tego czasu|ogólnie rzecz biorąc|po drugie|po pierwsze|po trzecie|po to|pod koniec|pod warunkiem|
  pod względem|podobnie jak|podobnie do|poza tym|prawdę mówiąc|przede wszystkim|przy czym|przy okazji|
  przy założeniu|przyjmując że|rzecz jasna|rzeczywiście|ściśle mówiąc|szczerze mówiąc|tak czy inaczej|tak długo jak|
  tak jak|tak samo|tak więc|tak że|takie jak|tego samego|to jest|to znaczy|tym bardziej|tym razem|tym samym|
  w celu|w ciągu|w efekcie|w gruncie rzeczy|w każdym razie|w konsekwencji|w końcu|w międzyczasie|w odróżnieniu od|
  w ogóle|w podobny sposób|w porównaniu|w przeciwieństwie|w przeciwnym razie|w przypadku|w przyszłości|w razie|
  w rezultacie|w rzeczywistości|w skrócie|w sumie|w szczególności|w takim razie|w ten sposób|w tym celu|
  w tym przypadku|w tym samym czasie|w wyniku|w zamian|w związku z|w związku z tym|wbrew temu|wracając do|
  z drugiej strony|z jednej strony|z kolei|z pewnością|z powodu|z reguły|z tego powodu|z uwagi na|z wyjątkiem|
  za pomocą|ze względu na|zgodnie z`);

/** Participles in the cases that agree with a subject: sprzedany, sprzedana, sprzedane, sprzedani; otwarty, otwarci. */
const participle =
  /^\p{L}{2,24}(?:an[yaei]|on[yae]|en[iy]|yt[yae]|yci|it[yae]|ici|ut[yae]|uci|ęt[yae]|ęci|art[yae]|arci)$/u;
/** Nouns and plain adjectives of the same shape. */
const notParticiples = wordSet(`
  strona strony korona korony obrona ochrona ochrony zasłona opona opony żona żony osłona ikona ikony strefa ściana
  ściany zmiana zmiany wymiana wymiany odmiana reklama brama rana rany piana gitara pani tani kopani czerwony czerwona
  czerwone zielony zielona zielone słony słona słone szalony szalona szalone spokojny pany plany organy ekrany oceany
  telefony miliony tony wagony salony regiony zeszyty płyta płyty wizyta wizyty kopyta elita elity limity kredyty minuta
  minuty nuta waluta waluty buty skuty pięta pięty święty święta święte karta karty warta warty warte oferty party
  uparty uparta uparte znany znana znane znani nieznany nieznana zainteresowany zainteresowana zainteresowani zadowolony
  zadowolona zadowoleni zmęczony zmęczona ograniczony ograniczona ograniczone doświadczony doświadczona wymagany
  kochany kochana pijany pijana ukochany zdrowi szczyty bity obfity obfita obfite pospolity rozmaity rozmaite
  należyty należyta znakomity znakomita znakomite jadowity całkowity całkowita całkowite przyzwoity wspaniały
  kompletny rana sukna bocian jedyny winny konty sporty raporty porty koszty testy teksty łany rodziny godziny`);
const auxiliaries = wordSet(`
  zostać został została zostało zostali zostały zostałem zostałam zostałeś zostałaś zostaliśmy zostałyśmy zostaliście
  zostanie zostaną zostanę zostaniesz zostaniemy zostaniecie zostałby zostałaby zostałoby zostaliby zostałyby
  zostaje zostają zostawszy być jest są jestem jesteś jesteśmy jesteście był była było byli były byłem byłam byłeś byłaś
  byliśmy byłyśmy będzie będą będę będziesz będziemy będziecie byłby byłaby byłoby byliby byłyby bywa bywają bywał
  bywała bywało bywały`);
const between = wordSet(`
  nie już nadal wciąż mile także też również zawsze nigdy jeszcze wtedy potem teraz dziś dzisiaj wczoraj jutro tylko prawie często rzadko
  zwykle natychmiast wkrótce ponownie później wcześniej właśnie tam tu tutaj on ona ono oni one one w pełni szybko dobrze
  źle ostatnio niedawno dokładnie ostatecznie następnie automatycznie`);

export const polish: LanguageData = {
  code: 'pl',
  functionWords,
  transitions: {
    words: transitionWords,
    phrases: transitionPhrases,
    pairs: [
      ['albo', 'albo'],
      ['ani', 'ani'],
      ['bądź', 'bądź'],
      ['czy', 'czy'],
      ['im', 'tym'],
      ['jeśli', 'to'],
      ['zarówno', 'jak'],
      ['nie', 'lecz'],
    ],
  },
  findPassives: periphrasticPassive({
    isAuxiliary: (form) => auxiliaries.has(form),
    isParticiple: (form) => participle.test(form) && !notParticiples.has(form),
    mayStandBetween: (form) =>
      between.has(form) || /^\p{L}{3,}(?:nie|wo|sko|mie|rze|ale|sto|tko)$/u.test(form),
    degreeWords: wordSet('bardzo zbyt tak bardziej najbardziej mniej dość całkiem niezwykle ten ta to'),
    window: 3,
    mayInvert: true,
  }),
  readingEase: null,
  genericAnchors: phraseSet(`
    tutaj|tu|kliknij|kliknij tutaj|kliknij tu|ten link|link|ta strona|strona|więcej|więcej informacji|informacje|szczegóły|
    więcej szczegółów|czytaj|czytaj więcej|czytaj dalej|przeczytaj|przeczytaj więcej|dowiedz się więcej|zobacz|
    zobacz więcej|pokaż więcej|dalej|następny|następna|kontynuuj|przejdź|idź|pobierz|otwórz|wstecz|sprawdź|start`),
  lightStarters: wordSet(
    'ten ta to te ci tamten tamta tamto tamte jeden jedna jedno dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć',
  ),
  abbreviations: wordSet(`
    np m.in tzn tzw ok ul al pl prof inż mgr hab dyr godz min max tel św wg ww jw zob por cd cz tys mln mld ppłk
    płk gen os sp z.o.o ust poz rozdz red im`),
  finalAbbreviations: wordSet('itp itd'),
  ordinalFollowers: wordSet(
    'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia wieku miejsce miejscu rocznica edycja',
  ),
};
