/**
 * The texts that only the review has. They are loaded with it, in every language of `./texts`: `language` of the cards'
 * texts selects them.
 */
import type { ApprovalTexts, CountedText } from '../approval/texts.js';

/** The texts of `<tool-approvals view="review">`: those of the cards, and its own. */
export type ReviewTexts = ApprovalTexts & OwnTexts;

/** The review's own texts. A word in braces is a placeholder. */
export interface OwnTexts {
  /** The tag of the language that these texts have. */
  readonly tag: string;
  /** Beside a decision that is marked. */
  readonly notSent: string;
  /** Takes a mark back. */
  readonly unmark: string;
  /** Sends the marked decisions: the next two texts. */
  readonly sendMarked: string;
  readonly approvals: CountedText;
  readonly denials: CountedText;
}

type Packed = readonly [
  notSent: string,
  unmark: string,
  sendMarked: string,
  approvals: CountedText,
  denials: CountedText,
];

const forms = (one: string, other: string, more?: object): CountedText => ({ one, other, ...more });

/** The texts by language. The first one is the default. */
const TEXTS: Readonly<Record<string, Packed>> = {
  en: ['Not sent yet', 'Undo', 'Send {decisions}', forms('{count} approval', '{count} approvals'), forms('{count} denial', '{count} denials')], // prettier-ignore
  ar: ['لم يُرسل بعد', 'تراجع', 'إرسال: {decisions}', forms('إذن واحد', '{count} إذن', { two: 'إذنان', few: '{count} أذون', many: '{count} إذنًا' }), forms('رفض واحد', '{count} رفض', { two: 'رفضان', few: '{count} حالات رفض', many: '{count} حالة رفض' })], // prettier-ignore
  de: ['Noch nicht gesendet', 'Rückgängig', '{decisions} senden', forms('{count} Erlaubnis', '{count} Erlaubnisse'), forms('{count} Ablehnung', '{count} Ablehnungen')], // prettier-ignore
  es: ['Aún sin enviar', 'Deshacer', 'Enviar {decisions}', forms('{count} permiso', '{count} permisos'), forms('{count} rechazo', '{count} rechazos')], // prettier-ignore
  fr: ['Pas encore envoyé', 'Annuler ce choix', 'Envoyer {decisions}', forms('{count} autorisation', '{count} autorisations'), forms('{count} refus', '{count} refus')], // prettier-ignore
  he: ['עדיין לא נשלח', 'ביטול הבחירה', 'שליחת {decisions}', forms('אישור אחד', '{count} אישורים', { two: 'שני אישורים' }), forms('דחייה אחת', '{count} דחיות', { two: 'שתי דחיות' })], // prettier-ignore
  ja: ['未送信', '元に戻す', '{decisions}を送信', '許可 {count} 件', '拒否 {count} 件'],
  ko: ['아직 보내지 않음', '되돌리기', '{decisions} 보내기', '허용 {count}건', '거부 {count}건'], // prettier-ignore
  'pt-BR': ['Ainda não enviado', 'Desfazer', 'Enviar {decisions}', forms('{count} permissão', '{count} permissões'), forms('{count} recusa', '{count} recusas')], // prettier-ignore
  'pt-PT': ['Ainda não enviado', 'Anular', 'Enviar {decisions}', forms('{count} permissão', '{count} permissões'), forms('{count} recusa', '{count} recusas')], // prettier-ignore
  'zh-Hans': ['尚未发送', '撤销', '发送：{decisions}', '允许 {count} 次', '拒绝 {count} 次'],
};

/** The review's own texts in a language, or else in a variety of it; in English if it is not known. */
export function ownTexts(language: string): OwnTexts {
  const [main] = language.split('-');
  const known = Object.keys(TEXTS);
  const key = known.find((each) => each === language) ?? known.find((each) => each.split('-')[0] === main) ?? 'en';
  const [notSent, unmark, sendMarked, approvals, denials] = TEXTS[key] as Packed;
  return { tag: key, notSent, unmark, sendMarked, approvals, denials };
}
