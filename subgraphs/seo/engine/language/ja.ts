import type { ClauseWord, FindPassives, WordRange } from './LanguageData.ts';
import { type LanguageData, phraseSet, wordSet } from './LanguageData.ts';

/** Segmented as by ICU: particles, auxiliaries, pronouns and formal nouns. */
const functionWords = wordSet(`
  は が を に へ と で や の も か な ね よ ぞ さ わ から まで より ほど くらい ぐらい だけ しか ばかり など なり やら こそ さえ
  でも すら とか って ながら つつ ので のに けど けれど けれども が し たり ば ては ても とも
  です ます でした ました ません ましょ ましょう だ だっ だった だろ だろう でしょ でしょう である で あり あっ あれ い いる い
  た て いた いて おり おる ある あっ ない なく なかっ なけれ ぬ ず れ れる られ られる せ せる させ させる する し した して
  すれ しよう さ しろ せよ なる なっ なり なれ くる き こ くれ くれる もらう もらっ いただく いただき ください 下さい ておく
  できる でき できれ たい たく たけれ そう よう みたい らしい べき はず
  これ それ あれ どれ ここ そこ あそこ どこ この その あの どの こちら そちら あちら どちら こう そう ああ どう こんな そんな
  あんな どんな 私 僕 俺 あなた 彼 彼女 彼ら 私たち 我々 自分 誰 何 いつ なぜ いくつ いくら どうして
  こと もの とき ため 為 ところ まま わけ つもり うち ほう 方 上 中 下 前 後 間 以上 以下 等 たち 達 的 化 性 さん 様 氏 目
  また そして しかし ただし なお さらに および または もしくは ならびに とても もっと すべて 全て みな ほか 他 その他 各 約
  一 二 三 四 五 六 七 八 九 十 一つ 二つ 三つ 第 御 お ご`);

/** Compared with joined words: the segmenter cuts "したがって" in two, and may cut elsewhere in its next version. */
const transitionTexts = phraseSet(`
  しかし|しかしながら|だが|ですが|けれど|けれども|ところが|それでも|それなのに|にもかかわらず|とはいえ|とはいうものの|
  なのに|でも|一方|一方で|一方では|他方|逆に|反対に|反面|その反面|それに対して|それに対し|これに対して|これに対し|対照的に|
  だから|ですから|そのため|このため|したがって|従って|よって|ゆえに|それゆえ|それゆえに|その結果|この結果|結果として|
  結果的に|そこで|それで|すると|そうすると|そうすれば|それなら|それでは|では|だとすると|なぜなら|なぜならば|というのも|
  というのは|つまり|すなわち|要するに|言い換えれば|言い換えると|いわば|換言すれば|例えば|たとえば|具体的には|具体的に|
  実際|実際に|実際には|事実|実は|特に|とくに|とりわけ|中でも|なかでも|とくに|主に|さらに|更に|加えて|その上|そのうえ|
  それに|それから|また|しかも|おまけに|のみならず|そればかりか|それだけでなく|だけでなく|ばかりでなく|かつ|および|ならびに|
  同様に|同じように|同じく|そして|次に|つぎに|続いて|まず|まずは|はじめに|初めに|最初に|第一に|第二に|第三に|最後に|
  最終的に|最終的には|ついに|結局|その後|そのあと|その前に|それまで|以前|以前は|当初|同時に|その間|その際|その時|そのとき|
  やがて|いずれ|これまで|これから|今後|現在|もし|もしも|たとえ|仮に|万一|ただし|ただ|もっとも|なお|ちなみに|ところで|さて|
  それはさておき|いずれにせよ|いずれにしても|とにかく|ともかく|あるいは|または|もしくは|それとも|むしろ|代わりに|その代わり|
  もちろん|確かに|たしかに|当然|やはり|やっぱり|残念ながら|幸い|基本的に|基本的には|一般に|一般的に|一般的には|通常|普通は|
  以上のように|このように|そのように|こうして|このようにして|まとめると|結論として|総じて|概して|全体として|したがいまして|
  それによって|これによって|これにより|それにより|そのほか|このほか|その他|場合によっては|言うまでもなく|一例として`);

const kanji = /\p{Script=Han}/u;
/** Stem on a + れる: the passive of the five-row verbs (書かれる, 売られた); the potential is on e (書ける). */
const fiveRow = /\p{Script=Han}[かがさたなばまらわ]れ(?=[るたてなまずばつ]|$|ず)/gu;
/** Passive of する: "販売された". */
const suru = /され(?=[るたてなまずばつ]|$)/gu;
/**
 * Intransitive verbs with the same ending (生まれる, 現われる, 分かれる), and ichidan verbs whose potential looks the same (見られる).
 */
const intransitive = /^(?:生ま|現わ|表わ|分か|別か|恵ま|[見得出寝着煮似居来]ら)れ$/u;

/**
 * Passives by their endings in the joined sentence, because the segmenter cuts inflected verbs. "られる" after a kana is
 * the passive of a one-row verb and its potential alike (食べられる): that stays silent.
 */
const findPassives: FindPassives = (sentence: readonly ClauseWord[]): WordRange[] => {
  const starts: number[] = [];
  let joined = '';
  for (const { form, afterPunctuation } of sentence) {
    // A mark between two words prevents a match across it.
    if (afterPunctuation) joined += '。';
    starts.push(joined.length);
    joined += form;
  }
  const wordAt = (offset: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const ranges: WordRange[] = [];
  for (const pattern of [fiveRow, suru]) {
    for (const match of joined.matchAll(pattern)) {
      if (intransitive.test(match[0])) continue;
      // Both patterns match "話された".
      const last = wordAt(match.index + match[0].length - 1);
      if (ranges.some((range) => range.last === last)) continue;
      ranges.push({ first: wordAt(match.index), last });
    }
  }
  return ranges.sort((a, b) => a.first - b.first);
};

/**
 * Returns the light stem of a segmented word. What follows the last ideograph of a verb or adjective is its inflection
 * (新しい, 新しく: 新; 走る, 走り: 走).
 */
export function stemJapanese(form: string): string {
  if (!kanji.test(form[0] ?? '')) return form;
  return form.replace(/\p{Script=Hiragana}+$/u, '') || form;
}

export const japanese: LanguageData = {
  code: 'ja',
  functionWords,
  transitions: { words: new Set(), phrases: [], pairs: [], joined: transitionTexts },
  findPassives,
  readingEase: null,
  genericAnchors: phraseSet(`
    こちら|ここ|こちらから|ここをクリック|こちらをクリック|クリック|詳細|詳細はこちら|詳しくはこちら|詳しく|もっと見る|
    もっと|続きを読む|続き|続きはこちら|リンク|このリンク|このページ|ページ|サイト|このサイト|次へ|次|進む|読む|見る|
    ダウンロード|開く|戻る|一覧|さらに表示|もっと読む|もっと詳しく|参照`),
  lightStarters: wordSet('この その あの これ それ あれ 一 二 三 四 五 六 七 八 九 十'),
  abbreviations: new Set(),
  ordinalFollowers: new Set(),
};
