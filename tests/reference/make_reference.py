#!/usr/bin/env python3
"""Makes reference.bin: what PyTorch finds for a tiny GPT, for tests/model/test-reference.c.

    pip install torch numpy && ./make_reference.py

The model is that of engine/model/shape.h, written with torch.nn.functional in fp64: so the tests
compare the lab's fp32 with figures that have no rounding of their own to speak of. The gradients are
those of the first step. Five AdamW steps follow, by torch.optim.AdamW with no decay on vectors.

The file, little-endian:
    magic "OLREF001"
    uint32  layers, width, heads, sequence, vocabulary, micro_batch, steps
    float64 learning_rate, beta1, beta2, epsilon, weight_decay
    int32   [steps][2][micro_batch * sequence]: inputs, then targets
    float32 weights, units and tensors in shape's order
    float32 gradients of step 0, in the same order
    float64 [steps + 1]: loss before every step, and after the last on the last step's tokens
"""
import math
import os
import struct

import numpy as np
import torch
import torch.nn.functional as F

LAYERS, WIDTH, HEADS, SEQUENCE, VOCABULARY, BATCH, STEPS = 2, 32, 4, 16, 16, 2, 5
LEARNING_RATE, BETA1, BETA2, EPSILON, WEIGHT_DECAY = 0.003, 0.9, 0.95, 1e-8, 0.1


def shapes():
    """Names and shapes in the order of OlShape: embed, blocks, head."""
    h = WIDTH
    yield "embed token", (VOCABULARY, h)
    yield "embed position", (SEQUENCE, h)
    for block in range(LAYERS):
        for name, shape in (("norm1 gain", (h,)), ("norm1 bias", (h,)),
                            ("qkv weight", (3 * h, h)), ("qkv bias", (3 * h,)),
                            ("projection weight", (h, h)), ("projection bias", (h,)),
                            ("norm2 gain", (h,)), ("norm2 bias", (h,)),
                            ("expand weight", (4 * h, h)), ("expand bias", (4 * h,)),
                            ("contract weight", (h, 4 * h)), ("contract bias", (h,))):
            yield f"block {block} {name}", shape
    yield "head norm gain", (h,)
    yield "head norm bias", (h,)
    yield "head weight", (VOCABULARY, h)


def initial_weights(random):
    """Larger than a real start, and with no zero or one left, so that every term of every gradient
    counts; exact in fp32."""
    weights = {}
    for name, shape in shapes():
        around = 1.0 if name.endswith("gain") else 0.0
        spread = 0.2 if len(shape) == 1 else 1.0 / math.sqrt(shape[1])
        values = (around + spread * random.standard_normal(shape)).astype(np.float32)
        weights[name] = torch.tensor(values, dtype=torch.float64, requires_grad=True)
    return weights


def forward(w, inputs, targets):
    h, norm = WIDTH, (WIDTH,)
    x = w["embed token"][inputs] + w["embed position"]
    for block in range(LAYERS):
        def t(name):
            return w[f"block {block} {name}"]
        y = F.layer_norm(x, norm, t("norm1 gain"), t("norm1 bias"), 1e-5)
        qkv = F.linear(y, t("qkv weight"), t("qkv bias"))
        q, k, v = (part.view(BATCH, SEQUENCE, HEADS, h // HEADS).transpose(1, 2)
                   for part in qkv.split(h, dim=2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        y = y.transpose(1, 2).reshape(BATCH, SEQUENCE, h)
        x = x + F.linear(y, t("projection weight"), t("projection bias"))
        y = F.layer_norm(x, norm, t("norm2 gain"), t("norm2 bias"), 1e-5)
        y = F.gelu(F.linear(y, t("expand weight"), t("expand bias")), approximate="tanh")
        x = x + F.linear(y, t("contract weight"), t("contract bias"))
    x = F.layer_norm(x, norm, w["head norm gain"], w["head norm bias"], 1e-5)
    logits = F.linear(x, w["head weight"])
    return F.cross_entropy(logits.view(-1, VOCABULARY), targets.reshape(-1))


def train(weights, inputs, targets):
    matrices = [w for w in weights.values() if w.dim() > 1]
    vectors = [w for w in weights.values() if w.dim() == 1]
    optimizer = torch.optim.AdamW(
        [{"params": matrices, "weight_decay": WEIGHT_DECAY}, {"params": vectors, "weight_decay": 0}],
        lr=LEARNING_RATE, betas=(BETA1, BETA2), eps=EPSILON)
    losses, first_gradients = [], None
    for step in range(STEPS):
        optimizer.zero_grad()
        loss = forward(weights, inputs[step], targets[step])
        loss.backward()
        losses.append(loss.item())
        if step == 0:
            first_gradients = [w.grad.numpy().astype("<f4") for w in weights.values()]
        optimizer.step()
    with torch.no_grad():
        losses.append(forward(weights, inputs[-1], targets[-1]).item())
    return first_gradients, losses


def main():
    random = np.random.default_rng(20240229)
    weights = initial_weights(random)
    tokens = random.integers(0, VOCABULARY, (STEPS, 2, BATCH, SEQUENCE))
    tokens[:, 1, :, :-1] = tokens[:, 0, :, 1:]  # targets are one ahead
    start = [w.detach().numpy().astype("<f4") for w in weights.values()]
    both = torch.tensor(tokens)
    gradients, losses = train(weights, both[:, 0], both[:, 1])

    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference.bin")
    with open(path, "wb") as file:
        file.write(b"OLREF001")
        file.write(struct.pack("<7I", LAYERS, WIDTH, HEADS, SEQUENCE, VOCABULARY, BATCH, STEPS))
        file.write(struct.pack("<5d", LEARNING_RATE, BETA1, BETA2, EPSILON, WEIGHT_DECAY))
        file.write(tokens.astype("<i4").tobytes())
        for array in start + gradients:
            file.write(array.tobytes())
        file.write(struct.pack(f"<{STEPS + 1}d", *losses))
    print("losses", losses)


if __name__ == "__main__":
    main()
