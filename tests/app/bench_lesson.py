"""A lesson of our own for stories on the bench: one run that offloads and overlaps, one that does
not fit; and an engine that is never late, whatever else the machine does."""

import lab_app


def make(steps=4):
    return {
        "id": "views", "title": "Something to look at", "goal": "To have a run to look at.",
        "experiment": {
            "base": {"steps": steps, "overlap": {"prefetch": 2},
                     "placement": {"optimizer": "host", "gradients": "host"}},
            "runs": [
                {"name": "overlap", "title": "With overlap"},
                {"name": "small", "title": "A smaller GPU", "set": {"hardware.gpu_mib": 14}},
            ],
        },
        "controls": [],
        "prediction": {"ask": "How much lies hidden?", "kind": "number", "run": "overlap",
                       "metric": "hidden.fraction", "unit": "%", "from": 0, "to": 100, "step": 1},
        "observe": [{"text": "Copies down.", "run": "overlap", "show": {"lane": "gpu_to_host"}}],
        "evidence": [{"run": "overlap", "metric": "peak.gpu.total", "is": "at least",
                      "value": 1000, "fails_on": "small"}],
        "question": {"text": "What moves?", "options": [
            {"text": "Gradients", "why": "Yes.", "right": True}, {"text": "Nothing", "why": "No."},
            {"text": "The GPU", "why": "No."}, {"text": "The learner", "why": "No."}]},
    }


def start(lesson, home, width, height):
    """The lab with the prediction made and locked."""
    lab = lab_app.Lab(home, width, height, engine=lab_app.make_engine(home, home + "/never-late"),
                      extra={"OFFLOAD_LAB_DATA": lab_app.make_data(home, lesson)})
    lab.click(lab.await_name(lesson["prediction"]["ask"], "slider"), at=0.5)
    lab.click(lab.await_ready("Lock in my prediction"))
    return lab
