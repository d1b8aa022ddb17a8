/** The host lacks something that a row needs; the message says what to install. */
export class NotMeasured extends Error {
  override readonly name = 'NotMeasured';
}
