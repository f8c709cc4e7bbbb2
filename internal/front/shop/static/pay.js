// The card form of a provider that gives a client key and a public key: Stripe's Payment Element.
"use strict";
const form = document.getElementById("provider");
const stripe = Stripe(form.dataset.publicKey);
const elements = stripe.elements({ clientSecret: form.dataset.clientKey });
elements.create("payment").mount("#element");
form.addEventListener("submit", async (e) => {
  e.preventDefault();
  const back = new URL(form.action);
  back.searchParams.set("session", form.elements.session.value);
  const { error } = await stripe.confirmPayment({ elements, confirmParams: { return_url: back.href } });
  const refusal = document.getElementById("refusal");
  refusal.textContent = error?.message ?? "";
  refusal.hidden = !error;
});
