import { type FindPassives, type WordRange, wordSet } from './LanguageData.ts';

const auxiliaries = wordSet(
  'был была было были будет будут буду будем будешь будете быть бывает бывают бывал бывали',
);
/** Short participles: прода|н, куплен|а, использован|ы, открыт|о. */
const participle =
  /^[а-яё]{2,24}(?:ан|ян|ен|ён)[аоы]?$|^[а-яё]{0,12}(?:крыт|мыт|бит|шит|вит|лит|нят|взят|чат|жат|тянут|мянут|двинут|гнут|вергнут|стигнут|т[её]рт|п[её]рт|клят|дет|пет)[аоы]?$/;
/** Matches a form that alone is a present passive ("использован"); other participles of this shape look like nouns. */
const plainParticiple =
  /^[а-яё]{3,24}ован[аоы]?$|^(?:сделан|создан|написан|указан|описан|основан|продан|передан|издан|задан|показан|доказан|вызван|назван|связан|призван|признан|избран|собран|выбран|установлен|представлен|предназначен|расположен|выполнен|получен|разработан|обработан|включ[её]н|исключ[её]н|посвящ[её]н|определ[её]н|построен|настроен|устроен|оснащ[её]н|направлен|добавлен|оставлен|составлен|поставлен|подготовлен|изготовлен|обновл[её]н|удал[её]н|измен[её]н|примен[её]н|замен[её]н|заверш[её]н|разреш[её]н|запрещ[её]н|огранич[её]н|обеспечен|размещ[её]н|опубликован|подписан|записан|загружен|защищ[её]н|принят|занят|снят|поднят|открыт|закрыт|скрыт|начат|сжат|разбит|упомянут|исправлен|отмечен|перечислен|привед[её]н|свед[её]н|раздел[её]н|извещ[её]н|уведомл[её]н|рассчитан)[аоы]?$/;
/** Adjectives and nouns of the same shape. */
const notParticiples = wordSet(`
  должен нужен важен возможен невозможен доволен недоволен уверен готов известен полезен интересен виден слышен ясен
  красен зелен силен болен волен равен верен труден честен умен вреден опасен прекрасен свободен способен подобен
  согласен уникален актуален необходим хорошен похож знаменит сыт плох намерен
  план планы роман романы экран экраны карман обман туман океан стакан диван ресторан рестораны орган органы ветеран
  страна страны сторона стороны цена цены сцена сцены смена смены замена замены измена отмена система перемена стена
  стены член члены имена времена племена семена колена жена жены антенна рана раны охрана канал кран краны
  телефон район закон рано странно давно весна война окно вино зерно пятно бревно полотно полотна волна волны тон
  степень день пень ремень камень корень чат чаты ответ совет предмет цвет свет сайт пакет билет привет поэт`);
/** Words between verb and participle: a predicate with a dative, or an adverb. */
const between = wordSet(`
  не уже ещё еще также тоже всегда никогда часто редко обычно только впервые снова затем потом тогда теперь здесь там
  сразу вскоре недавно давно полностью частично вчера сегодня завтра автоматически успешно специально официально ранее позже он она оно они
  ли бы им ей ему мне нам вам`);
const nounBefore = wordSet('очень слишком так более менее самый этот эта это эти того');
const window = 3;

function isParticiple(form: string): boolean {
  return participle.test(form) && !notParticiples.has(form);
}

/**
 * Finds passives with an auxiliary and a short participle ("был продан"), and present ones without an auxiliary
 * ("договор подписан"). Reflexive verbs ("дом строится") depend on their meaning and are not reported.
 */
export const russianPassive: FindPassives = (sentence) => {
  const found: WordRange[] = [];
  for (let index = 0; index < sentence.length; index += 1) {
    const form = sentence[index]?.form ?? '';
    if (auxiliaries.has(form)) {
      const last = participleAfter(index);
      if (last > index) {
        found.push({ first: index, last });
        index = last;
        continue;
      }
    }
    const isPlain = plainParticiple.test(form) && !sentence[index]?.capitalised;
    if (isPlain && !nounBefore.has(sentence[index - 1]?.form ?? ''))
      found.push({ first: index, last: index });
  }
  return found;

  function participleAfter(auxiliary: number): number {
    for (let at = auxiliary + 1; at <= auxiliary + 1 + window; at += 1) {
      const word = sentence[at];
      if (!word || word.afterPunctuation) return -1;
      if (isParticiple(word.form)) return nounBefore.has(sentence[at - 1]?.form ?? '') ? -1 : at;
      if (!between.has(word.form) && !/[ое]$/.test(word.form)) return -1;
    }
    return -1;
  }
};
