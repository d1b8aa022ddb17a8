/** The event listeners of an Element: https://docs.stripe.com/js/element/events */
export class ElementEvents {
  #elementType;
  #handlers = new Map();

  constructor(elementType) {
    this.#elementType = elementType;
  }

  on(type, handler) {
    this.#handlers.set(type, [...this.#of(type), handler]);
  }

  once(type, handler) {
    const wrapped = (event) => {
      this.off(type, wrapped);
      handler(event);
    };
    this.on(type, wrapped);
  }

  /** Removes all handlers of the event when `handler` is omitted. */
  off(type, handler) {
    const kept = this.#of(type).filter((it) => handler && it !== handler);
    this.#handlers.set(type, kept);
  }

  emit(type, event) {
    for (const handler of this.#of(type)) handler({ elementType: this.#elementType, ...event });
  }

  has(type) {
    return this.#of(type).length > 0;
  }

  clear() {
    this.#handlers.clear();
  }

  #of(type) {
    return this.#handlers.get(type) ?? [];
  }
}
